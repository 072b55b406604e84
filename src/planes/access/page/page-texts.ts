import { preferredLanguage } from '../../../http/request/accept.ts'
import type { StaticFile } from '../../../http/response/static-file.ts'

/** What the pages to sign in at are written in; English is what stands in them. */
const languages = ['en', 'de', 'fr', 'es', 'ja'] as const

export type Messages = Readonly<Record<string, string>>

/** The texts of a page in the language of whoever reads it. */
export interface PageTexts {
  readonly language: string
  /** The text, with what stands in braces put in. */
  readonly say: (text: string, values?: Readonly<Record<string, string>>) => string
}

/** Reads `messages/<language>.json`, whose keys are the English texts. */
export async function textsFor(
  request: Request,
  file: (name: string) => Promise<Pick<StaticFile, 'bytes'>>,
): Promise<PageTexts> {
  const language = preferredLanguage(request.headers.get('accept-language'), languages) ?? 'en'
  const messages = language === 'en' ? {} : await readMessages(`messages/${language}.json`, file)
  return {
    language,
    say: (text, values = {}) =>
      filled(Object.hasOwn(messages, text) ? (messages[text] ?? text) : text, values),
  }
}

const readMessages = async (
  name: string,
  file: (name: string) => Promise<Pick<StaticFile, 'bytes'>>,
): Promise<Messages> => JSON.parse(new TextDecoder().decode((await file(name)).bytes)) as Messages

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{([a-z]+)\}/gu, (whole, name: string) => values[name] ?? whole)

/**
 * A page with its texts, which stand in it as `{{Sign in}}`, and with what stands in comments such as
 * `<!-- note -->`. Values are markup, in texts as well: whoever gives them escapes what is not.
 */
export function filledPage(
  template: string,
  { language, say }: PageTexts,
  values: Readonly<Record<string, string>>,
): string {
  return template
    .replaceAll(/\{\{((?:[^{}]|\{[a-z]+\})+)\}\}/gu, (_, text: string) =>
      say(text.trim().replaceAll(/\s+/gu, ' '), values),
    )
    .replaceAll(/<!-- (\w+) -->/gu, (_, name: string) =>
      name === 'lang' ? language : (values[name] ?? ''),
    )
}
