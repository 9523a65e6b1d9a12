"""Writes the sources of the guide: the pages of `docs/` and of the repository's top, with links that a site has.

A link to a file outside `docs/` that is no page of the guide, such as source code, becomes its text. The groups of the
navigation are those of the index, `docs/README.md`.
"""

import re
import shutil
from pathlib import Path

from core.installation import ROOT

DOCS = ROOT / "docs"
TOP = ("README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY", "CHANGELOG")
"""Pages of the repository's top, which are in the folder `project` of the guide."""
LLMS = "llms.txt"
FOLDERS = ("recipes", "moving", "decisions")
"""Folders of `docs/` whose index stands in the navigation in place of their pages."""
_FILES = ("pictures", "examples")
"""Folders of `docs/` with files that pages show or link."""
_LINK = re.compile(r"(!?)\[([^\]\n]*)\]\(([^)\s]+)\)")
_CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]+`", re.MULTILINE | re.DOTALL)
_DIAGRAM = re.compile(r"^```mermaid\n.*?^```\n+", re.MULTILINE | re.DOTALL)
_GROUP = re.compile(r"^## (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
_ROW = re.compile(r"^\| \[[^\]]*\]\(([^)#]+)\)", re.MULTILINE)


def addresses() -> dict[Path, str]:
    """Returns the file of each page with its name in the guide, which has no suffix."""
    names = {ROOT / f"{name}.md": f"project/{name.lower()}" for name in TOP}
    for path in sorted(DOCS.rglob("*.md")):
        inside = path.relative_to(DOCS).with_suffix("")
        names[path] = (inside.with_name("index") if inside.name == "README" else inside).as_posix()
    return names


def write(folder: Path) -> None:
    """Writes all sources of the guide into a new folder."""
    names = addresses()
    for path, name in names.items():
        target = folder / f"{name}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        text = with_links(path.read_text(encoding="utf-8"), path, names)
        if name == "index":
            text += navigation(names)
        elif name in {f"{inner}/index" for inner in FOLDERS}:
            others = sorted(page for page in names.values() if page.startswith(name.removesuffix("index")))
            text += _tree("", [f"/{page}" for page in others if page != name])
        target.write_text(_DIAGRAM.sub("", text), encoding="utf-8")  # it needs a script larger than the guide
    for name in _FILES:
        shutil.copytree(DOCS / name, folder / name)


def write_for_programs(folder: Path) -> None:
    """Writes each page as Markdown beside its HTML, and `llms.txt`, which names them."""
    for path, name in addresses().items():
        shutil.copy(path, folder / f"{name}.md")
    text = (ROOT / LLMS).read_text(encoding="utf-8").replace("/README.md)", "/index.md)")
    (folder / LLMS).write_text(text.replace("](docs/", "](docs/guide/"), encoding="utf-8")


def with_links(text: str, path: Path, names: dict[Path, str]) -> str:
    """Returns the text of a page with links and pictures as the guide has them. Code stays as it is."""

    def link(match: re.Match[str]) -> str:
        picture, label, address = match.groups()
        file, mark, anchor = address.partition("#")
        if not file or re.match(r"[a-z]+:", file):
            return match[0]
        target = (path.parent / file).resolve()
        if name := names.get(target / "README.md" if target.is_dir() else target):
            return f"[{label}](/{name}.md{mark}{anchor})"
        inside = target.is_file() and target.is_relative_to(DOCS)
        return f"{picture}[{label}](/{target.relative_to(DOCS).as_posix()})" if inside else label

    pieces, end = list[str](), 0
    for code in _CODE.finditer(text):
        pieces += [_LINK.sub(link, text[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*pieces, _LINK.sub(link, text[end:])])


def navigation(names: dict[Path, str]) -> str:
    """Returns the navigation. Its groups are the headings of the index that have a table of pages."""
    trees = ""
    for title, rows in _GROUP.findall((DOCS / "README.md").read_text(encoding="utf-8")):
        targets = [(DOCS / file).resolve() for file in _ROW.findall(rows)]
        files = [target / "README.md" if target.is_dir() else target for target in targets]
        trees += _tree(title, [f"/{names[file]}" for file in files]) if files else ""
    return trees


def _tree(caption: str, pages: list[str]) -> str:
    options = [":hidden:", *([f":caption: {caption}"] if caption else [])]
    return "\n".join(["", "```{toctree}", *options, "", *pages, "```", ""])
