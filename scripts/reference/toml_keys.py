"""The page of study files, from their JSON Schema."""

from json_schema import kind, rows
from markdown_text import opening, prose, table

HEADS = ["key", "value", "default", "meaning"]
# Parts with a section of their own.
LINKS = {
    "Case": "[cases](#keys-of-cases)",
    "FigureRequest": "[figures](#keys-of-figures)",
    "Drawing": "[drawings](#keys-of-a-drawing)",
}


def page(schema):
    """The whole page."""
    parts = schema["$defs"]

    def link(name):
        return LINKS[name] if name in LINKS else kind(parts[name], link)

    def keys(part):
        return table(HEADS, list(rows(part, link)))

    text = f"{opening('toml')}\n## Keys of a study\n\n{keys(schema)}"
    text += f"\n## Keys of `[[cases]]`\n\n{prose(parts['Case']['description'])}\n\n"
    text += keys(parts["Case"])
    text += f"\n## Keys of `[[figures]]`\n\n{prose(parts['FigureRequest']['description'])}\n"
    for figure in parts["FigureRequest"]["oneOf"]:
        value = figure["properties"]["kind"]["const"]
        listed = [row for row in rows(figure, link) if row[0] != "`kind`"]
        text += (
            f'\n### `kind = "{value}"`\n\n{prose(figure["description"])}\n\n{table(HEADS, listed)}'
        )
    text += f"\n## Keys of a drawing\n\n{prose(parts['Drawing']['description'])}\n\n"
    return text + keys(parts["Drawing"])
