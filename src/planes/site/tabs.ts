/** What a tab may be called: bold words alone in a paragraph, right before a block of code. */
const names: ReadonlySet<string> = new Set('curl CLI JS Python Go Docker rclone'.split(' '))

interface Block {
  readonly name: string
  readonly start: number
  readonly end: number
  readonly code: string
}

const label = /<p><strong>([A-Za-z]{2,10})<\/strong><\/p>\n(?=<pre[> ])/gu
const close = '</pre>\n'

/**
 * Blocks of code that follow each other, each below its bold name, as one group: a script shows them as
 * tabs, and without one they stand below each other as they do in the Markdown.
 */
export function grouped(html: string): string {
  let made = ''
  let place = 0
  for (const group of groupsOf(blocksOf(html))) {
    const [first, ...others] = group
    const last = others.at(-1)
    if (first === undefined || last === undefined) continue
    made += `${html.slice(place, first.start)}<div class="tabs">${group.map(section).join('')}</div>`
    place = last.end
  }
  return made + html.slice(place)
}

const section = ({ name, code }: Block): string =>
  `<section class="tab" data-name="${name}"><p class="tab-name">${name}</p>${code}</section>`

function blocksOf(html: string): readonly Block[] {
  const blocks: Block[] = []
  for (const { 0: found, 1: name = '', index: start } of html.matchAll(label)) {
    const begin = start + found.length
    const end = html.indexOf(close, begin) + close.length
    if (names.has(name) && end > begin)
      blocks.push({ name, start, end, code: html.slice(begin, end) })
  }
  return blocks
}

/** Those with nothing between them belong together. */
function groupsOf(blocks: readonly Block[]): readonly (readonly Block[])[] {
  const groups: Block[][] = []
  for (const block of blocks) {
    const last = groups.at(-1)
    if (last?.at(-1)?.end === block.start) last.push(block)
    else groups.push([block])
  }
  return groups
}
