import de from './messages/de.json'
import es from './messages/es.json'
import fr from './messages/fr.json'
import ja from './messages/ja.json'

const translations: Readonly<Record<string, Readonly<Record<string, string>>>> = { de, fr, es, ja }

const language = document.documentElement.lang
const messages = translations[language] ?? {}

/** A text in the language that the service chose for the page; the English text is its key, what changes stands in braces. */
export function t(text: string, values: Readonly<Record<string, string>> = {}): string {
  const message = Object.hasOwn(messages, text) ? messages[text] : undefined
  return (message ?? text).replace(/\{([a-z]+)\}/gu, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
}

export const humanTime = (time: string): string => new Date(time).toLocaleString(language)
