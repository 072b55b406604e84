/**
 * What XMP says of something that lies beside the pixels and does not come along: the map of an HDR image
 * (ISO 21496-1 and its forerunner) and where its C2PA manifest is. Prefixes are those of the specifications.
 */
const elements = [
  'hdrgm:',
  'Container:Directory',
  'GContainer:Directory',
  'dcterms:provenance',
  'HDRGainMap:',
] as const
const attributes =
  /\s(?:hdrgm:[A-Za-z]{1,40}|HDRGainMap:[A-Za-z]{1,40}|dcterms:provenance)\s{0,9}=\s{0,9}(?:"[^"]*"|'[^']*')/gu

/** Whether anything in it has to be taken out. */
export const saysOfCarried = (xmp: string): boolean =>
  elements.some((name) => xmp.includes(name)) || xmp.includes('provenance')

/** Without it; `undefined` where it cannot be told apart from the rest. */
export function withoutCarried(xmp: string): string | undefined {
  let text = xmp.replace(attributes, '')
  for (const name of elements) {
    const shorter = withoutElements(text, name)
    if (shorter === undefined) return undefined
    text = shorter
  }
  return text
}

const maxElements = 200

/** Elements of that name, or whose names begin so, with all that is in them. */
function withoutElements(text: string, name: string): string | undefined {
  let kept = text
  for (let count = 0; count < maxElements; count += 1) {
    const start = kept.indexOf(`<${name}`)
    if (start < 0) return kept
    const end = endOfElement(kept, start)
    if (end < 0) return undefined
    kept = kept.slice(0, start) + kept.slice(end)
  }
  return undefined
}

function endOfElement(text: string, start: number): number {
  const headEnd = text.indexOf('>', start)
  if (headEnd < 0) return -1
  if (text[headEnd - 1] === '/') return headEnd + 1
  const tag = /^<([A-Za-z:]{1,80})/u.exec(text.slice(start, start + 100))?.[1]
  const close = tag === undefined ? -1 : text.indexOf(`</${tag}>`, headEnd)
  return tag === undefined || close < 0 ? -1 : close + tag.length + 3
}
