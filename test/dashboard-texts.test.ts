import { expect, test } from 'bun:test'

import { dashboardTexts } from './support/dashboard-texts.ts'

const { texts, outside } = await dashboardTexts()
const isCounted = new Map(texts.map(({ key, isCounted: counted }) => [key, counted]))

type Message = string | Readonly<Record<string, string>>

const translated = ['de', 'fr', 'es', 'ja'] as const
const messagesOf = async (language: string): Promise<Readonly<Record<string, Message>>> =>
  await Bun.file(
    new URL(`../web/dashboard/language/messages/${language}.json`, import.meta.url),
  ).json()

/** What a translation has to keep: the names in braces and the elements, in any order. */
const marksOf = (text: string): string =>
  [...text.matchAll(/\{[a-zA-Z]+\}|<\/?[a-zA-Z]+>/gu)]
    .map(([mark]) => mark)
    .toSorted()
    .join(' ')

test('every text that a person reads in the dashboard can be said in another language', () => {
  expect(outside).toEqual([])
})

test('a text is asked for with forms everywhere or nowhere', () => {
  const mixed = texts.filter(({ key, isCounted: counted }) => isCounted.get(key) !== counted)
  expect(mixed).toEqual([])
})

for (const language of translated)
  test(`the messages in ${language} are complete, and there are no others`, async () => {
    const messages = await messagesOf(language)
    const missing = [...isCounted.keys()].filter((key) => !Object.hasOwn(messages, key))
    const needless = Object.keys(messages).filter((key) => !isCounted.has(key))
    expect({ missing, needless }).toEqual({ missing: [], needless: [] })
  })

for (const language of translated)
  test(`the messages in ${language} have the names, elements and forms of their texts`, async () => {
    const messages = await messagesOf(language)
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const wrong = [...isCounted].filter(([key, counted]) => {
      const message = messages[key]
      if (!counted) return typeof message !== 'string' || marksOf(message) !== marksOf(key)
      return typeof message !== 'object' || !hasForms(message, key, categories)
    })
    expect(wrong.map(([key]) => key)).toEqual([])
  })

/** A form for one may leave the number out; `many` of French and Spanish is for millions, and may be `other`. */
function hasForms(
  forms: Readonly<Record<string, string>>,
  key: string,
  categories: readonly string[],
): boolean {
  const needed = categories.filter((category) => category !== 'many')
  return needed.every((category) => {
    const form = forms[category]
    if (form === undefined || form === '') return false
    const [has, wanted] = [marksOf(form), marksOf(key)]
    return has === wanted || (category === 'one' && has === marksOf(key.replace('{count}', '')))
  })
}
