/** The languages of the dashboard, by BCP 47 subtag, each by its own name. */
export const languageNames = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  ja: '日本語',
} as const

export type Language = keyof typeof languageNames

/** A message in the forms that a count asks for, by the categories of Unicode's plural rules. */
export type PluralForms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>

/** What is said in place of each English text. */
export type Messages = Readonly<Record<string, string | PluralForms>>

type TranslatedLanguage = Exclude<Language, 'en'>

const translations: Readonly<
  Record<TranslatedLanguage, () => Promise<{ readonly default: Messages }>>
> = {
  de: () => import('./messages/de.json'),
  fr: () => import('./messages/fr.json'),
  es: () => import('./messages/es.json'),
  ja: () => import('./messages/ja.json'),
}

const key = 'sedge-language'

let chosen: Language = 'en'
let said: Messages = {}

/**
 * Chooses and loads the language: the one kept on this machine, or the first of the browser's that there is.
 * It is awaited before anything else is imported, so that every text can be asked for where it is written.
 */
export async function prepareLanguage(): Promise<void> {
  const wanted = keptLanguage() ?? firstKnown(navigator.languages) ?? 'en'
  try {
    said = wanted === 'en' ? {} : (await translations[wanted]()).default
    chosen = wanted
  } catch {
    // A language that cannot be had is no reason to show nothing: English stays.
  }
  document.documentElement.lang = chosen
}

export const currentLanguage = (): Language => chosen

/** The tag by which numbers and dates are written: the browser's own region of the language, if it names one. */
export const locale = (): string =>
  globalThis.navigator?.languages?.find((tag) => languageOf(tag) === chosen) ?? chosen

export const messageOf = (text: string): string | PluralForms | undefined =>
  Object.hasOwn(said, text) ? said[text] : undefined

/** Shows everything in another language, which begins the page anew. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(key, language)
  location.reload()
}

const keptLanguage = (): Language | undefined => firstKnown([localStorage.getItem(key) ?? ''])

export function firstKnown(tags: readonly string[]): Language | undefined {
  for (const tag of tags) {
    const language = languageOf(tag)
    if (language !== undefined) return language
  }
  return undefined
}

function languageOf(tag: string): Language | undefined {
  const subtag = tag.split('-', 1)[0]?.toLowerCase() ?? ''
  return Object.hasOwn(languageNames, subtag) ? (subtag as Language) : undefined
}
