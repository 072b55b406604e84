import type { Passage } from '../../src/domain/assistant/knowledge/passage.ts'

/** What stands above a block of code, for which program it is. */
const isNameOfTab = /^\*\*[\w ]{1,20}\*\*$/u

interface Page {
  readonly markdown: string
  /** Where the page is served. */
  readonly url: string
}

/** Longer paragraphs are cut at the ends of sentences. */
const maxParagraphLength = 420

/** A page as facts: each paragraph, list item, row of a table and block of code on its own. */
export function markdownPassages({ markdown, url }: Page): readonly Passage[] {
  const headings: string[] = []
  const passages: Passage[] = []
  const add = (text: string): void => {
    if (!/\p{L}{2}/u.test(text) || isNameOfTab.test(text)) return
    const own = headings.filter((heading) => heading !== undefined)
    const anchor = own.length > 1 && !url.endsWith('/') ? `#${slugOf(own.at(-1) ?? '')}` : ''
    passages.push({ title: own.join(' › '), url: `${url}${anchor}`, text })
  }
  for (const block of blocksOf(markdown)) {
    const [, marks, heading] = /^(#{1,6}) +(.+)$/u.exec(block) ?? []
    if (marks !== undefined && heading !== undefined)
      headings.splice(marks.length - 1, headings.length, plain(heading))
    else for (const text of textsOf(block)) add(text)
  }
  return passages
}

/** As readers of Markdown make the anchors of headings. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/gu, '-')

/** Parts between empty lines; code keeps together. */
function blocksOf(markdown: string): readonly string[] {
  const withoutComments = markdown.replace(/<!--.*?-->/gsu, '')
  const blocks = withoutComments.match(/^```[^]*?^```$|^(?!```)[^\n]+(?:\n(?!```|#)[^\n]+)*/gmu)
  return blocks ?? []
}

function textsOf(block: string): readonly string[] {
  if (block.startsWith('```')) return codeTexts(block)
  if (block.startsWith('|')) return tableTexts(block)
  if (/^(?:[-*]|\d+\.) /u.test(block))
    return block
      .split(/^(?:[-*]|\d+\.) +/mu)
      .filter((item) => item !== '' && !leadsElsewhere(item))
      .map(oneLine)
  return sentencesOf(oneLine(block))
}

/** An item that begins with a link says what is behind it, and nothing itself. */
const leadsElsewhere = (item: string): boolean => item.startsWith('[')

/** What a comment says, with the commands that follow it. */
function codeTexts(block: string): readonly string[] {
  const lines = block
    .split('\n')
    .slice(1, -1)
    .map((line) => line.trim().replace(/\s+/gu, ' '))
  const texts: string[] = []
  let comment = ''
  let command = ''
  const finish = (): void => {
    if (command !== '') texts.push(`${comment === '' ? '' : `${comment}: `}\`${command}\``)
    command = ''
  }
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) {
      finish()
      if (line !== '') comment = line.replace(/^#+ */u, '')
      continue
    }
    const [, code = line, remark] = /^(.*?) +# (.*)$/u.exec(line) ?? []
    if (remark !== undefined) {
      finish()
      texts.push(`${remark}: \`${code}\``)
    } else command = `${command} ${line.replace(/ *\\$/u, '')}`.trim()
  }
  finish()
  return texts
}

function tableTexts(block: string): readonly string[] {
  const [head = [], , ...rows] = block.split('\n').map(cellsOf)
  return rows.map((row) => {
    const [first = '', ...rest] = row
    const values = rest.map((cell, place) => {
      const name = head[place + 1] ?? ''
      const isLast = place === rest.length - 1
      return isLast || name === '' ? cell : `${name} ${cell}`
    })
    return `${first}: ${values.filter(Boolean).join('. ')}`
  })
}

const cellsOf = (line: string): readonly string[] =>
  line
    .replace(/^\||\|$/gu, '')
    .split(/(?<!\\)\|/u)
    .map((cell) => oneLine(cell.replaceAll('\\|', '|')))

/** Neighbouring sentences together, as long as they are short. */
function sentencesOf(paragraph: string): readonly string[] {
  const sentences = paragraph.match(/.+?(?:[.!?](?= +[\p{Lu}`*])|$)/gu) ?? []
  const texts: string[] = []
  for (const sentence of sentences.map((each) => each.trim())) {
    const last = texts.at(-1)
    if (last !== undefined && last.length + sentence.length < maxParagraphLength)
      texts[texts.length - 1] = `${last} ${sentence}`
    else texts.push(sentence)
  }
  return texts
}

const oneLine = (text: string): string => withoutLinks(text).replace(/\s+/gu, ' ').trim()
const withoutLinks = (text: string): string => text.replace(/!?\[([^\]]+)\]\([^)]*\)/gu, '$1')
const plain = (text: string): string => oneLine(text).replace(/[`*_]/gu, '')
