/** The parts of subset-font that documents use. The package has no types. */
declare module 'subset-font' {
  /** @returns a font with only the letters of `text`, at one place of its axes */
  export default function subsetFont(
    font: Uint8Array,
    text: string,
    options: { targetFormat: 'truetype'; variationAxes: Record<string, number> },
  ): Promise<Uint8Array>
}
