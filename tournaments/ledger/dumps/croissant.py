"""A dump as a Croissant document (https://docs.mlcommons.org/croissant/docs/croissant-spec.html), for data set tools.

Records come from the Parquet files; the JSON Lines are named beside them.
"""

from typing import Any

from django.conf import settings

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
TYPES = {
    "bool": "sc:Boolean",
    "int": "sc:Integer",
    "float": "sc:Float",
    "text": "sc:Text",
    "json": "sc:Text",
    "time": "sc:DateTime",
    "bytes": "sc:Text",
}
HIDDEN = "bytes"  # a column that no record has: data set tools know no bytes


def croissant(manifest: dict[str, Any]) -> dict[str, Any]:
    site, slug = settings.SITE_URL, manifest["ladder"]
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": f"boardroom-{slug}",
        "description": f"Matches of bots at {manifest['title']}, a ladder of {manifest['game']}: sets, matches, seats, "
        "replays, ratings and events.",
        "url": f"{site}/data/{slug}/",
        "license": manifest["licence"],
        "creator": {"@type": "sc:Organization", "name": "Boardroom", "url": site},
        "citeAs": f"Boardroom, ladder {slug}, {site}/data/{slug}/, ledger {manifest['ledger_sha256'][:16]}",
        "version": f"{manifest['boardroom_dump']}.0.0",
        "datePublished": manifest["made_at"][:10],
        "isLiveDataset": True,
        "distribution": [_file(file, f"{site}/data/{slug}/") for file in manifest["files"]],
        "recordSet": [_records(table) for table in manifest["tables"]],
    }


def _file(file: dict[str, Any], folder: str) -> dict[str, Any]:
    kind = "application/x-parquet" if file["name"].endswith(".parquet") else file["type"]
    return {
        "@type": "cr:FileObject",
        "@id": file["name"],
        "name": file["name"],
        "contentUrl": f"{folder}{file['name']}",
        "contentSize": f"{file['bytes']} B",
        "encodingFormat": kind,
        "sha256": file["sha256"],
    }


def _records(table: dict[str, Any]) -> dict[str, Any]:
    name = table["name"]
    fields = [_field(name, column) for column in table["columns"] if column["kind"] != HIDDEN]
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "description": table["about"], "field": fields}


def _field(table: str, column: dict[str, Any]) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{table}/{column['name']}",
        "name": column["name"],
        "description": column["about"],
        "dataType": TYPES[column["kind"]],
        "source": {"fileObject": {"@id": f"{table}.parquet"}, "extract": {"column": column["name"]}},
    }
