"""Makes Inter-Medium.otf, the typeface of text in pictures, from the same file of Inter.

    pip install fonttools
    python subset.py path/to/Inter-Medium.otf

Keeps Latin letters, digits, punctuation and some symbols, without hints. Kerning moves from the
GPOS table to a kern table, the only one that ab_glyph reads; pairs below 16 units (0.1 pixels at
14 pixels per em) are dropped.
"""

import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont, newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

CHARACTERS = (
    [*range(0x20, 0x7F), *range(0xA0, 0x100)]
    + [ord(c) for c in "ıŁłŒœŠšŽžΔΩμπ–—‘’“”•…′″←↑→↓−∞≈≠≤≥"]
)
LEAST = 16


def pairs(font):
    """Horizontal kerning of all pairs, by glyph names."""
    order = font.getGlyphOrder()
    found = {}
    gpos = font["GPOS"].table
    kern = {i for r in gpos.FeatureList.FeatureRecord if r.FeatureTag == "kern"
            for i in r.Feature.LookupListIndex}
    for index in sorted(kern):
        lookup = {}
        for table in gpos.LookupList.Lookup[index].SubTable:
            table = getattr(table, "ExtSubTable", table)
            if table.LookupType != 2:
                continue
            firsts = table.Coverage.glyphs
            here = {}
            if table.Format == 1:
                for first, rows in zip(firsts, table.PairSet):
                    for row in rows.PairValueRecord:
                        value = row.Value1.XAdvance if row.Value1 else 0
                        here[first, row.SecondGlyph] = value
            else:
                for first in firsts:
                    row = table.Class1Record[table.ClassDef1.classDefs.get(first, 0)].Class2Record
                    for second in order:
                        record = row[table.ClassDef2.classDefs.get(second, 0)].Value1
                        here[first, second] = getattr(record, "XAdvance", 0) if record else 0
            for pair, value in here.items():
                # The first subtable that covers a pair wins.
                lookup.setdefault(pair, value)
        for pair, value in lookup.items():
            found[pair] = found.get(pair, 0) + value
    return {pair: value for pair, value in sorted(found.items()) if abs(value) >= LEAST}


def main(source):
    font = TTFont(source)
    options = subset.Options()
    options.layout_features = ["kern"]
    options.hinting = False
    options.desubroutinize = True
    options.notdef_outline = True
    options.name_IDs = [0, 1, 2, 3, 4, 5, 6, 13, 14]
    maker = subset.Subsetter(options)
    maker.populate(unicodes=CHARACTERS)
    maker.subset(font)
    table = KernTable_format_0()
    table.apple, table.coverage, table.tupleIndex = False, 1, None
    table.kernTable = pairs(font)
    font["kern"] = newTable("kern")
    font["kern"].version, font["kern"].kernTables = 0, [table]
    for name in ["GPOS", "GSUB", "GDEF"]:
        if name in font:
            del font[name]
    font["head"].modified = font["head"].created
    font.recalcTimestamp = False
    out = Path(__file__).with_name("Inter-Medium.otf")
    font.save(out)
    print(f"{out}: {out.stat().st_size} bytes, {len(table.kernTable)} pairs of kerning")


main(sys.argv[1])
