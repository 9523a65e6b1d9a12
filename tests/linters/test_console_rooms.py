from pathlib import Path

from tests.linters import console_rooms


def _source(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        path = folder / name.replace("__", "/")
        path.with_suffix(".ts").parent.mkdir(parents=True, exist_ok=True)
        path.with_suffix(".ts").write_text(text)
    return folder


def test_a_type_from_another_feature_is_an_import(tmp_path: Path) -> None:
    _source(
        tmp_path,
        features__ships__Page='import type { Crew } from "../crews/model";',
        features__crews__model="",
    )
    assert console_rooms.check(tmp_path) == [
        "console/src/features/ships/Page.ts imports features/crews/model.ts: what features share belongs into the frame"
    ]


def test_a_page_loaded_by_the_frame_is_an_import(tmp_path: Path) -> None:
    _source(
        tmp_path,
        frame__shell__Shell='lazy(() => import("../../features/ships/Page"));',
        features__ships__Page="",
    )
    assert console_rooms.check(tmp_path) == [
        "console/src/frame/shell/Shell.ts imports features/ships/Page.ts, but the frame imports no feature"
    ]


def test_a_circle_of_files_is_found(tmp_path: Path) -> None:
    _source(
        tmp_path,
        frame__one='export * from "./two";',
        frame__two='import "./three";',
        frame__three='import("./one")',
    )
    assert console_rooms.check(tmp_path) == [
        "console/src: these files import each other in a circle: frame/one.ts, frame/three.ts, frame/two.ts"
    ]


def test_a_full_folder_is_found(tmp_path: Path) -> None:
    _source(tmp_path, **{f"features__ships__file{number}": "" for number in range(21)})
    assert console_rooms.check(tmp_path) == [
        "console/src/features/ships has 21 files, and a folder has at most 20"
    ]


def test_a_text_of_a_feature_in_the_frame_is_found(tmp_path: Path) -> None:
    _source(
        tmp_path,
        frame__Filter='t("filters.clear"); t(`ships.${name}`);',
        frame__i18n__en='export default {\n  filters: {\n    clear: "Clear",\n  },\n};',
    )
    assert console_rooms.check(tmp_path) == [
        "console/src/frame/Filter.ts shows a text of ships.*, but the frame's texts are in frame/i18n"
    ]
