import { describe, expect, it } from "vitest";
import { oggOf } from "./ogg";

const HEAD = [...new TextEncoder().encode("OpusHead"), 1, 1, 56, 1, 0x80, 0xbb, 0, 0, 0, 0, 0];
const TOC = 0xf8; // one frame of 20 ms
const UNKNOWN = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];

const sized = (id: number[], content: number[]) => [
  ...id,
  0x40 | (content.length >> 8),
  content.length & 0xff,
  ...content,
];
const block = (packet: number[], flags = 0x80) => sized([0xa3], [0x81, 0, 0, flags, ...packet]);
const recording = (...blocks: number[][]) =>
  new Uint8Array([
    ...sized([0x1a, 0x45, 0xdf, 0xa3], [1, 2, 3]),
    ...[0x18, 0x53, 0x80, 0x67, ...UNKNOWN],
    ...sized([0x16, 0x54, 0xae, 0x6b], sized([0xae], sized([0x63, 0xa2], HEAD))),
    ...[0x1f, 0x43, 0xb6, 0x75, ...UNKNOWN],
    ...sized([0xe7], [0]),
    ...blocks.flat(),
  ]);

function pagesOf(ogg: Uint8Array) {
  const view = new DataView(ogg.buffer);
  const pages = [];
  for (let at = 0; at < ogg.length;) {
    expect(new TextDecoder().decode(ogg.subarray(at, at + 4))).toBe("OggS");
    const count = ogg[at + 26] ?? 0;
    const lengths = [...ogg.subarray(at + 27, at + 27 + count)];
    const start = at + 27 + count;
    const size = lengths.reduce((sum, length) => sum + length, 0);
    pages.push({
      flags: ogg[at + 5],
      samples: Number(view.getBigUint64(at + 6, true)),
      sequence: view.getUint32(at + 18, true),
      crc: view.getUint32(at + 22, true),
      lengths,
      content: ogg.subarray(start, start + size),
    });
    at = start + size;
  }
  return pages;
}

describe("Opus of a WebM recording", () => {
  it("is packed into Ogg as it is", () => {
    const pages = pagesOf(oggOf(recording(block([TOC, 1, 2]), block([TOC, ...Array<number>(255).fill(7)]))));
    expect(pages.map(({ flags, sequence }) => [flags, sequence])).toEqual([
      [2, 0],
      [0, 1],
      [4, 2],
    ]);
    expect([...(pages[0]?.content ?? [])]).toEqual(HEAD);
    expect(new TextDecoder().decode(pages[1]?.content.subarray(0, 8))).toBe("OpusTags");
    expect(pages[2]?.lengths).toEqual([3, 255, 1]);
    expect(pages[2]?.samples).toBe(1920);
    // Computed by another implementation of the checksum.
    expect(pages[0]?.crc).toBe(0xd9f59f1c);
  });
  it("has a page for each second", () => {
    const pages = pagesOf(oggOf(recording(...Array<number[]>(120).fill(block([TOC, 1])))));
    expect(pages.slice(2).map(({ samples }) => samples)).toEqual([48_000, 96_000, 115_200]);
  });
  it("is kept as far as it goes if the recording was cut", () => {
    const whole = recording(block([TOC, 1]), block([TOC, 2]));
    expect(pagesOf(oggOf(whole.subarray(0, whole.length - 1)))[2]?.samples).toBe(960);
  });
  it("is refused if it is something else", () => {
    expect(() => oggOf(recording())).toThrow();
    expect(() => oggOf(new Uint8Array([0, 0, 0, 0]))).toThrow();
    expect(() => oggOf(recording(block([TOC], 0x84)))).toThrow();
  });
});
