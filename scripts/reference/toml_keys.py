"""The page of study files, from their JSON Schema."""

from json_schema import rows
from markdown import NOTE, opening, prose, table

HEADS = ["key", "value", "default", "meaning"]


def page(schema):
    """The whole page."""
    parts = schema["$defs"]
    text = f"{NOTE}\n{opening('toml')}\n## Keys of a study\n\n{table(HEADS, list(rows(schema)))}"
    text += f"\n## Keys of `[[cases]]`\n\n{prose(parts['Case']['description'])}\n\n"
    text += table(HEADS, list(rows(parts["Case"])))
    text += f"\n## Keys of `[[figures]]`\n\n{prose(parts['FigureRequest']['description'])}\n"
    for figure in parts["FigureRequest"]["oneOf"]:
        kind = figure["properties"]["kind"]["const"]
        listed = [row for row in rows(figure) if row[0] != "`kind`"]
        text += (
            f'\n### `kind = "{kind}"`\n\n{prose(figure["description"])}\n\n{table(HEADS, listed)}'
        )
    text += f"\n## Keys of a drawing\n\n{prose(parts['Drawing']['description'])}\n\n"
    return text + table(HEADS, list(rows(parts["Drawing"])))
