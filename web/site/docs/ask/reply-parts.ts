import { element } from '../elements.ts'
import type { Reply, Source } from './ask-service.ts'

/** An answer as elements: nothing that it says is ever read as HTML. */
export function replyParts(
  { text, sources, followUps, isWordForWord, isDone }: Reply,
  onFollowUp: (question: string) => void,
): readonly Node[] {
  const parts: Node[] = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => lineOf(line, sources))
  if (sources.length > 0) parts.push(sourceList(sources))
  if (!isDone) return parts
  if (isWordForWord)
    parts.push(
      element(
        'p',
        'No model wrote this: it is what the documentation and the catalogue say, word for word.',
        about,
      ),
    )
  if (followUps.length > 0) parts.push(followUpList(followUps, onFollowUp))
  return parts
}

const about = { class: 'about' }

/** Code stands between backticks, and `[n]` is the nth source. */
function lineOf(line: string, sources: readonly Source[]): HTMLElement {
  const paragraph = element('p')
  for (const part of line.split(/(`[^`]+`|\[\d{1,2}\])/u)) paragraph.append(partOf(part, sources))
  return paragraph
}

function partOf(part: string, sources: readonly Source[]): Node {
  if (part.length > 2 && part.startsWith('`')) return element('code', part.slice(1, -1))
  const number = /^\[(\d+)\]$/u.exec(part)?.[1]
  const source = sources[Number(number) - 1]
  if (number === undefined || source === undefined)
    return document.createTextNode(part.replaceAll('**', ''))
  const link = { href: source.href, 'aria-label': `Source ${number}: ${source.title}` }
  return element('a', `[${number}]`, link)
}

function sourceList(sources: readonly Source[]): HTMLElement {
  const list = element('ol', '', { class: 'sources', 'aria-label': 'Sources' })
  for (const { title, href } of sources) {
    const item = element('li')
    item.append(element('a', title, { href }))
    list.append(item)
  }
  return list
}

function followUpList(
  followUps: readonly string[],
  onFollowUp: (question: string) => void,
): HTMLElement {
  const list = element('ul', '', { class: 'follow-ups', 'aria-label': 'What to ask next' })
  for (const question of followUps) {
    const button = element('button', question, { type: 'button' })
    button.addEventListener('click', () => onFollowUp(question))
    const item = element('li')
    item.append(button)
    list.append(item)
  }
  return list
}
