import { retiredWords, words } from '../test/words.ts'
import { table } from './markdown.ts'

const begin = '<!-- words -->'
const end = '<!-- /words -->'

/** ARCHITECTURE.md with the words, as the test holds them, between their two marks. */
export function withWords(page: string): string {
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`ARCHITECTURE.md must have ${begin} and ${end}`)
  const meanings = words.map(({ word, meaning }) => [`_${word}_`, meaning])
  const retired = retiredWords.map(({ forms, instead, except }) => [
    forms.join(', '),
    instead,
    except?.because ?? '',
  ])
  return [
    before.trimEnd(),
    begin,
    table(['word', 'meaning'], meanings),
    'Retired: names of files and exports do not have these words any more.',
    table(['retired', 'instead', 'right where'], retired),
    end,
    after.trim(),
  ].join('\n\n')
}
