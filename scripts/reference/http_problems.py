"""The part of the HTTP page on errors: every status, and every kind of problem."""

import re
from collections import Counter

from markdown_text import prose, table


def refusals(document):
    """Status, meaning and kinds of problems of each refusal, frequent ones first."""
    used = Counter(
        answer["$ref"].rpartition("/")[2]
        for methods in document["paths"].values()
        for operation in methods.values()
        for answer in operation["responses"].values()
        if "$ref" in answer
    )
    answers = document["components"]["responses"]
    for name in sorted(answers, key=lambda name: -used[name]):
        answer = answers[name]
        members = answer["content"]["application/problem+json"]["schema"]["properties"]
        yield members["status"]["const"], answer["description"], members["type"]


def problems_part(document, wrong_method):
    """The part of the page; `wrong_method` is the problem that no operation has."""
    method_title = f"{wrong_method['title']}."
    statuses = [[wrong_method["status"], prose(method_title)]]
    kinds = {wrong_method["type"]: [wrong_method["status"], prose(method_title)]}
    for status, meaning, kind in refusals(document):
        statuses.append([status, prose(meaning)])
        told = dict(re.findall(r"`([^`]+)`: ([^`]+\.)", kind["description"]))
        kinds.update({name: [status, prose(told[name])] for name in kind["enum"]})
    text = "## Errors\n\n"
    statuses.sort(key=lambda row: row[0])
    text += table(["status", "meaning"], [[str(status), said] for status, said in statuses])
    text += "\n### Kinds of problems\n\nThe `type` of a [Problem](#problem) is one of these. "
    text += "Its `detail` says what is wrong with this request, and what to do.\n\n"
    listed = sorted((status, name, said) for name, (status, said) in kinds.items())
    return text + table(
        ["`type`", "status", "meaning"],
        [[f"`{name}`", str(status), said] for status, name, said in listed],
    )
