/** A bar chart of all work: how fast each peer is when ledgerd is 1. */

const COLOURS = ['#2b6cb0', '#c05621', '#2f855a', '#6b46c1'];
const WIDTH = 960;
const LABELS = 350;
const VALUES = 70;
const BAR = 10;
const GAP = 12;
const TOP = 56;
const TEXT = 'font-family="sans-serif" font-size="12"';

/** The chart as the text of an SVG file. Its scale is logarithmic; a bar to the left of the line is slower. */
export function barChart(all, [own, ...others]) {
  const rows = all.filter((measured) => others.some((peer) => measured.ratio(peer, own) !== undefined));
  const ratios = rows.flatMap((measured) => others.map((peer) => measured.ratio(peer, own) ?? 1));
  const least = Math.floor(Math.log10(Math.min(0.1, ...ratios)));
  const most = Math.ceil(Math.log10(Math.max(10, ...ratios)));
  const room = WIDTH - LABELS - VALUES;
  const at = (ratio) => LABELS + ((Math.log10(ratio) - least) / (most - least)) * room;
  const rowHeight = others.length * BAR + GAP;
  const height = TOP + rows.length * rowHeight + GAP;
  const scale = Array.from({ length: most - least + 1 }, (_, index) => 10 ** (least + index));
  const parts = [
    ...scale.map((ratio) => gridLine(at(ratio), ratio, height)),
    ...rows.map((measured, index) => {
      const y = TOP + index * rowHeight;
      const title = text(LABELS - 8, y + (others.length * BAR) / 2 + 4, measured.title, 'end');
      return (
        title + others.map((peer, bar) => drawBar(measured.ratio(peer, own), y + bar * BAR, bar, at)).join('')
      );
    }),
    ...others.map((peer, index) => legend(peer, index)),
  ];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" ${TEXT}>\n` +
    `<title>Beside ledgerd, which is 1: ${others.join(', ')}</title>\n` +
    `<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>\n${parts.join('\n')}\n</svg>\n`
  );
}

function gridLine(x, ratio, height) {
  const colour = ratio === 1 ? '#000000' : '#dddddd';
  const label = text(x, TOP - 10, `${Number(ratio.toPrecision(1))}`, 'middle');
  return `<line x1="${x}" x2="${x}" y1="${TOP - 4}" y2="${height - GAP}" stroke="${colour}"/>${label}`;
}

function drawBar(ratio, y, index, at) {
  if (ratio === undefined) return '';
  const [one, end] = [at(1), at(ratio)];
  const x = Math.min(one, end).toFixed(1);
  const width = Math.max(1, Math.abs(end - one)).toFixed(1);
  const label = ratio < 1 ? text(one + 4, y + BAR - 1, ratio.toPrecision(2), 'start', 9) : '';
  const after = ratio < 1 ? '' : text(end + 4, y + BAR - 1, ratio.toPrecision(2), 'start', 9);
  const colour = COLOURS[index % COLOURS.length];
  const bar = `<rect x="${x}" y="${y}" width="${width}" height="${BAR - 1}" fill="${colour}"/>`;
  return bar + label + after;
}

function legend(peer, index) {
  const x = LABELS + index * 110;
  const colour = COLOURS[index % COLOURS.length];
  return `<rect x="${x}" y="8" width="12" height="12" fill="${colour}"/>${text(x + 18, 18, peer, 'start')}`;
}

function text(x, y, words, anchor, size = 12) {
  const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="${size}">${escaped}</text>`;
}
