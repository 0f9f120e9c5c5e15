// Enough of PNG to look at a screenshot: 8-bit RGB or RGBA, not interlaced, as browsers write them.
import { inflateSync } from 'node:zlib';

function paeth(a, b, c) {
  const p = a + b - c;
  const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return pa <= pb && pa <= pc ? a : pb <= pc ? b : c;
}

/** @returns {{width: number, height: number, channels: number, pixels: Uint8Array}} */
export function decode(png) {
  const data = Buffer.from(png);
  const [width, height] = [data.readUInt32BE(16), data.readUInt32BE(20)];
  const channels = { 2: 3, 6: 4 }[data[25]];
  if (!channels || data[24] !== 8 || data[28] !== 0) throw new Error('a kind of PNG not read here');
  const parts = [];
  for (let at = 8; at < data.length;) {
    const size = data.readUInt32BE(at);
    if (data.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(data.subarray(at + 8, at + 8 + size));
    at += size + 12;
  }
  const raw = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(stride * height);
  for (let y = 0; y < height; y += 1) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= channels ? pixels[at - channels] : 0;
      const up = y ? pixels[at - stride] : 0;
      const corner = y && x >= channels ? pixels[at - stride - channels] : 0;
      const add = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter];
      pixels[at] = raw[y * (stride + 1) + 1 + x] + add;
    }
  }
  return { width, height, channels, pixels };
}

/** How many different colours a picture has, and the share of the commonest one. */
export function colours(png) {
  const { pixels, channels } = decode(png);
  const count = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const key = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    count.set(key, (count.get(key) ?? 0) + 1);
  }
  return { different: count.size, most: Math.max(...count.values()) * channels / pixels.length };
}

/** The share of pixels of which a colour differs by more than so many steps. */
export function difference(one, other, steps = 8) {
  const [a, b] = [decode(one), decode(other)];
  if (a.width !== b.width || a.height !== b.height) return 1;
  let differing = 0;
  const total = a.width * a.height;
  for (let i = 0; i < total; i += 1) {
    const [p, q] = [i * a.channels, i * b.channels];
    const far = [0, 1, 2].some((c) => Math.abs(a.pixels[p + c] - b.pixels[q + c]) > steps);
    differing += far ? 1 : 0;
  }
  return differing / total;
}
