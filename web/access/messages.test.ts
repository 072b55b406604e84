import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const languages = ['de', 'fr', 'es', 'ja'] as const

const readAll = async (pattern: string): Promise<string> => {
  const files = [...new Glob(pattern).scanSync(root)].filter((file) => !file.includes('.test.'))
  const texts = await Promise.all(files.map((file) => Bun.file(join(root, file)).text()))
  return texts.join('\n').replaceAll(/\s+/gu, ' ')
}

const pages = await readAll('web/access/*.html')
const scripts = await readAll('web/access/*.ts')
const service = await readAll('src/{planes,domain}/access/**/*.ts')

/** What pages and scripts say: `{{Sign in}}`, `t('Remove')`, `say('or')`. */
const said = new Set([
  ...[...pages.matchAll(/\{\{((?:[^{}]|\{[a-z]+\})+)\}\}/gu)].map(([, text = '']) => text.trim()),
  ...[...`${scripts} ${service}`.matchAll(/\b(?:t|say)\( ?'((?:[^'])+)'/gu)].map(
    ([, text = '']) => text,
  ),
])
const messagesIn = async (language: string) =>
  (await Bun.file(join(import.meta.dir, 'messages', `${language}.json`)).json()) as Readonly<
    Record<string, string>
  >
const placeholders = (text: string) => (text.match(/\{[a-z]+\}/gu) ?? []).toSorted()

for (const language of languages)
  test(`every text of the pages to sign in at is there in ${language}, with what is put into it`, async () => {
    const messages = await messagesIn(language)
    expect(said.size).toBeGreaterThan(40)
    expect([...said].filter((text) => !Object.hasOwn(messages, text))).toEqual([])
    for (const [text, message] of Object.entries(messages)) {
      expect(message).not.toBe('')
      expect({ text, names: placeholders(message) }).toEqual({ text, names: placeholders(text) })
    }
  })

test('no message says what nobody says any more', async () => {
  for (const language of languages)
    for (const text of Object.keys(await messagesIn(language)))
      expect({ language, text, isSaid: said.has(text) || service.includes(`'${text}'`) }).toEqual({
        language,
        text,
        isSaid: true,
      })
})
