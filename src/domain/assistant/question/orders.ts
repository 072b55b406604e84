/** What somebody wants done, as the words of the message say it; nothing was looked up. */
export type Order =
  | { readonly verb: 'purge'; readonly what: string }
  | { readonly verb: 'tag' | 'untag'; readonly what: string; readonly tags: readonly string[] }
  | {
      readonly verb: 'redirect'
      readonly from: string
      readonly to: string
      readonly zone: string | undefined
      readonly status: number
    }

/** What is said before a verb to be friendly. `How do I purge …?` asks, and orders nothing. */
const leadIns = [
  'please',
  'now',
  'then',
  'and',
  'also',
  'can you',
  'could you',
  'would you',
  'will you',
  'i want to',
  'i would like to',
  "i'd like to",
  'i need to',
  "let's",
  'go and',
]
const maxTags = 20
const maxTagLength = 64

const aRedirect = /^(?:up )?(?:an? |the )?redirect /iu
const made = (rest: string): Order | undefined =>
  aRedirect.test(rest) ? redirectOf(rest.replace(aRedirect, '')) : added(rest)
const tagged = (rest: string) => tagOf('tag', rest, [' with ', ' as '])

const readers: ReadonlyMap<string, (rest: string) => Order | undefined> = new Map([
  ['purge', purgeOf],
  ['invalidate', purgeOf],
  ['flush', purgeOf],
  ['clear', cacheOf],
  ['tag', tagged],
  ['label', tagged],
  ['untag', (rest) => tagOf('untag', rest, [' from ', ' of '])],
  ['redirect', redirectOf],
  ['make', made],
  ['create', made],
  ['add', made],
  ['set', made],
  ['remove', removed],
  ['delete', removed],
])

/** Reads a message with single blanks; `undefined` where it orders nothing. */
export function readOrder(message: string): Order | undefined {
  const wish = withoutLeadIns(message.trim())
  const [verb = ''] = wish.toLowerCase().split(' ', 1)
  return readers.get(verb)?.(wish.slice(verb.length).trim())
}

function withoutLeadIns(message: string): string {
  let wish = message
  for (;;) {
    const lower = wish.toLowerCase()
    const lead = leadIns.find((each) => lower.startsWith(`${each} `))
    if (lead === undefined) return wish
    wish = wish.slice(lead.length).trim()
  }
}

const withoutEnd = (text: string): string => {
  let length = text.length
  while (length > 0 && '.!? '.includes(text.charAt(length - 1))) length -= 1
  return text.slice(0, length)
}

function purgeOf(rest: string): Order | undefined {
  const what = withoutEnd(rest).replace(/^the (?:edge )?caches? (?:of|for) /iu, '')
  return what === '' ? undefined : { verb: 'purge', what }
}

/** `clear the cache of …`; `clear` alone may mean anything. */
function cacheOf(rest: string): Order | undefined {
  const [cache] =
    /^(?:the )?(?:edge )?caches?(?: (?:of|for))?(?= |$)/iu.exec(withoutEnd(rest)) ?? []
  if (cache === undefined) return undefined
  const what = withoutEnd(rest).slice(cache.length).trim()
  return { verb: 'purge', what: what === '' ? 'everything' : what }
}

function tagOf(verb: 'tag' | 'untag', rest: string, marks: readonly string[]): Order | undefined {
  const parts = splitLast(withoutEnd(rest), marks)
  if (parts === undefined) return undefined
  const [before, after] = parts
  const [what, tags] = verb === 'tag' ? [before, after] : [after, before]
  return orderOfTags(verb, what, tags)
}

/** `add the tag spring to …`. */
function added(rest: string): Order | undefined {
  const parts = /^(?:the )?tags? /iu.test(rest) ? splitLast(withoutEnd(rest), [' to ']) : undefined
  return parts && orderOfTags('tag', parts[1], parts[0])
}

/** `remove the tag spring from …`. */
function removed(rest: string): Order | undefined {
  const parts = /^(?:the )?tags? /iu.test(rest)
    ? splitLast(withoutEnd(rest), [' from '])
    : undefined
  return parts && orderOfTags('untag', parts[1], parts[0])
}

function orderOfTags(verb: 'tag' | 'untag', what: string, text: string): Order | undefined {
  const tags = text
    .replace(/^(?:the )?tags? /iu, '')
    .split(/,| and /iu)
    .map((tag) => tag.replaceAll(/["'`#]/gu, '').trim())
    .filter((tag) => tag !== '')
  const isPlausible = tags.length <= maxTags && tags.every((tag) => tag.length <= maxTagLength)
  return tags.length > 0 && what.trim() !== '' && isPlausible
    ? { verb, what: what.trim(), tags: [...new Set(tags)] }
    : undefined
}

function splitLast(text: string, marks: readonly string[]): readonly [string, string] | undefined {
  const lower = text.toLowerCase()
  const places = marks.map((mark) => ({ at: lower.lastIndexOf(mark), length: mark.length }))
  const last = places.toSorted((a, b) => b.at - a.at)[0]
  if (last === undefined || last.at < 1) return undefined
  return [text.slice(0, last.at), text.slice(last.at + last.length)]
}

/** `from … to … 302 in acme`, each but the two paths left out at will. */
function redirectOf(rest: string): Order | undefined {
  const [from = '', to = '', target = '', ...others] = withoutEnd(rest)
    .replace(/^from /iu, '')
    .split(' ')
    .map((word) => word.replaceAll(/["'`]/gu, ''))
  if (to.toLowerCase() !== 'to' || !isAddress(from) || !isAddress(target)) return undefined
  const said = others.map((word) => word.toLowerCase().replace(/[,()]/gu, ''))
  const status = said.find((word) => /^30[1278]$/u.test(word))
  const place = said.indexOf('in')
  const named = place === -1 ? undefined : said.slice(place + 1).find((word) => !naming.has(word))
  const usual = said.some((word) => word.startsWith('temporar')) ? 302 : 301
  return { verb: 'redirect', from, to: target, zone: named, status: Number(status ?? usual) }
}

const naming = new Set(['the', 'zone', 'tenant', 'project'])

const isAddress = (word: string): boolean =>
  word.startsWith('/') || word.includes('/v1/') || /^https?:\/\//iu.test(word)
