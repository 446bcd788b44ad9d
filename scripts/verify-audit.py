#!/usr/bin/env python3
"""A second opinion on hookd's audit log, from docs/audit.md alone: verify-audit.py AUDIT_DIRECTORY [HEAD].

Checks every record's own hash, its number and its place, missing segments, chains and heads that others name. What was
written to a file after the record where its successor goes on is ignored: "hookd audit verify" looks at that too.
"""
import hashlib, json, pathlib, sys

def lines(path):
    return path.read_bytes().split(b"\n")[:-1]  # what follows the last newline is no record yet

def opening(path):
    try:
        return json.loads(lines(path)[0])
    except (IndexError, ValueError):
        return {}

def check(chain, wanted, removed):
    """Walks one chain; returns its length, its head, and which of the wanted hashes it holds. Adds to `removed`."""
    segments = sorted(path for path in chain.iterdir() if path.suffix == ".jsonl" and path.stem.isdigit())
    stops, stop, following = {}, None, None
    for path in reversed(segments):  # where each file is left: at the record after which a later one goes on
        stops[path], first = stop, opening(path)
        if first and not (stop and first.get("prev") == following):
            following = first.get("prev")
            stop = following if first.get("kind") == "segment_started" and path != segments[0] else None
    count, prev, seen = 0, "0" * 64, set()
    for number, path in enumerate(segments, 1):
        assert path.name == f"{number:06}.jsonl", f"{chain}/{number:06}.jsonl: is missing"
        for at, line in enumerate(lines(path), 1):
            if stops[path] == prev:
                break
            digest, place = hashlib.sha256(line[:-75]).hexdigest(), f"{path}:{at}"
            assert line[-75:] == b',"hash":"' + digest.encode() + b'"}', f"{place}: was changed"
            record = json.loads(line)
            assert record["seq"] == count + 1 and record["prev"] == prev, f"{place}: is not the next record"
            count, prev = count + 1, digest
            seen |= {digest} & wanted
            if record.get("kind") == "chain_removed":
                removed.add(record["of_writer"])  # by retention: said in a chain that is still there
        assert stops[path] in (None, prev), f"{path}: lacks the record after which another file goes on"
    return count, prev, seen

def main(directory, head=None):
    chains = [path for path in sorted(pathlib.Path(directory).iterdir()) if path.is_dir() and path.name[0] != "."]
    firsts = {chain.name: opening(chain / "000001.jsonl") for chain in chains}
    gone = {json.loads(line)["of_writer"] for chain in chains for path in chain.glob("*.jsonl")
            for line in lines(path) if b'"kind":"chain_removed"' in line}  # by retention, which says so first
    heads = [(named["writer"], named["hash"]) for first in firsts.values() for named in first.get("heads", [])
             if named["writer"] not in gone]
    wanted = {hash for _, hash in heads} | {head}
    removed = set()
    results = {chain.name: check(chain, wanted, removed) for chain in chains if chain.name != "lost+found"}
    for writer, hash in heads:
        gone = writer in removed and writer not in results
        assert gone or hash in results.get(writer, (0, "", ()))[2], f"{writer}: lacks the record {hash[:12]} that another chain saw"
    assert head is None or any(head in seen for _, _, seen in results.values()), f"no chain holds {head}"
    print(f"{sum(count for count, _, _ in results.values())} records in {len(results)} chains, all sound")

try:
    main(*sys.argv[1:])
except (AssertionError, ValueError, KeyError) as fault:
    sys.exit(f"NOT sound: {fault}")
