"""Cuts a font down to what the interface shows: make_font.py SOURCE OUT

Inter's default digits have the widths of running text; stb_truetype applies no OpenType feature, so
the tabular digits (feature tnum) are put into the character map before subsetting. The result is
read by ImGui and by browsers.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

# Latin-1, punctuation, and the arrows and signs that the interface writes.
UNICODES = [
    *range(0x20, 0x7F), *range(0xA0, 0x100),
    0x2009, 0x200A, 0x202F,                           # thin spaces
    0x2010, 0x2011, 0x2012, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026,
    0x2032, 0x2033, 0x20AC, 0x2122,
    0x2192, 0x2194, 0x2212, 0x221A, 0x221E, 0x2248, 0x2264, 0x2265, 0x2308, 0x2309,
    0x03BB, 0x03BC, 0x03C3, 0x2070, 0x00B9, 0x00B2, 0x00B3, *range(0x2074, 0x207A), 0x2082,
]


def single_substitutions(font: TTFont, tag: str) -> dict:
    """Glyph names exchanged by one feature, whatever the script."""
    table = font['GSUB'].table
    indices = {i for record in table.FeatureList.FeatureRecord if record.FeatureTag == tag
               for i in record.Feature.LookupListIndex}
    found = {}
    for index in sorted(indices):
        for sub in table.LookupList.Lookup[index].SubTable:
            if sub.LookupType == 7:
                sub = sub.ExtSubTable
            if sub.LookupType == 1:
                found.update(sub.mapping)
    return found


def main() -> int:
    source, out = sys.argv[1:]
    font = TTFont(source)
    tabular = single_substitutions(font, 'tnum')
    for table in font['cmap'].tables:
        if table.isUnicode():
            for code, glyph in list(table.cmap.items()):
                if 0x20 < code < 0x7F and glyph in tabular:
                    table.cmap[code] = tabular[glyph]

    options = subset.Options()
    options.layout_features = []                      # neither ImGui nor the page's figures kern
    options.hinting = False
    options.desubroutinize = False
    options.name_IDs = [0, 1, 2, 13]
    options.notdef_outline = True
    options.drop_tables += ['MVAR', 'STAT']
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=UNICODES)
    subsetter.subset(font)

    # The cuts between the masters are rounded: SemiBold's digits differ by 3 of 2,816 units.
    cmap, metrics = font.getBestCmap(), font['hmtx'].metrics
    digits = [cmap[ord(digit)] for digit in '0123456789']
    widest = max(metrics[glyph][0] for glyph in digits)
    if widest - min(metrics[glyph][0] for glyph in digits) <= font['head'].unitsPerEm // 500:
        for glyph in digits:
            metrics[glyph] = (widest, metrics[glyph][1])
    widths = {metrics[glyph][0] for glyph in digits}
    if len(widths) != 1:
        print(f'make_font.py: the digits of {source} have widths {sorted(widths)}', file=sys.stderr)
        return 1
    pathlib.Path(out).parent.mkdir(parents=True, exist_ok=True)
    font.save(out)
    return 0


if __name__ == '__main__':
    sys.exit(main())
