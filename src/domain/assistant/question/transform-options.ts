/** What a message asks of an image, as parameters of a transform, and what is left of the message. */
export interface MessageTransformOptions {
  /** Unchecked: `w`, `800`. */
  readonly parameters: ReadonlyMap<string, string>
  readonly rest: string
}

interface Pattern {
  readonly pattern: RegExp
  readonly set: (groups: readonly string[]) => Readonly<Record<string, string>>
}

const one =
  (name: string) =>
  ([value = '']: readonly string[]) => ({ [name]: value })
const fixed = (parameters: Readonly<Record<string, string>>) => () => parameters
const formatOf = ([format = '']: readonly string[]) => ({
  format: format.replace(/^jpg$/u, 'jpeg'),
})

const pixels = '(\\d{1,6}) ?(?:px|pixels?)?'
const format = '(webp|avif|jpe?g|png)'

/** Tried in this order on text with single blanks; what one has read the next does not see. */
const patterns: readonly Pattern[] = [
  {
    pattern: new RegExp(String.raw`\b${pixels} ?(?:x|×|by) ?${pixels}(?!\w)`, 'u'),
    set: ([w = '', h = '']) => ({ w, h }),
  },
  { pattern: new RegExp(String.raw`\b${pixels} ?(?:wide|in width|width)\b`, 'u'), set: one('w') },
  {
    pattern: new RegExp(String.raw`\b(?:width|w) ?(?:of|:|=)? ?${pixels}\b`, 'u'),
    set: one('w'),
  },
  {
    pattern: new RegExp(String.raw`\b${pixels} ?(?:high|tall|in height|height)\b`, 'u'),
    set: one('h'),
  },
  {
    pattern: new RegExp(String.raw`\b(?:height|h) ?(?:of|:|=)? ?${pixels}\b`, 'u'),
    set: one('h'),
  },
  { pattern: /\b(?:quality|q) ?(?:of|:|=)? ?(\d{1,4})\b/u, set: one('q') },
  { pattern: /\b(\d{1,3}) ?%? ?quality\b/u, set: one('q') },
  { pattern: /\bblur\w*\b(?:[^.\d]{0,60}?)\b(?:by|of|=|:)? ?(\d{1,4})\b/u, set: one('blur') },
  {
    pattern: /\bsharpen\w*\b(?:[^.\d]{0,60}?)\b(?:by|of|=|:)? ?(\d{1,4})\b/u,
    set: one('sharpen'),
  },
  { pattern: /\b([1-4](?:\.\d)?)x(?: density)?\b/u, set: one('dpr') },
  { pattern: /\bretina\b/u, set: fixed({ dpr: '2' }) },
  { pattern: /\b(\d{1,6}) ?(?:px|pixels?)(?: square)?\b/u, set: one('w') },
  { pattern: /\bcrop\w*\b[^.]{0,40}?\bfaces?\b/u, set: fixed({ gravity: 'face', fit: 'cover' }) },
  { pattern: /\bthumbnail\b/u, set: fixed({ w: '200' }) },
  {
    pattern: new RegExp(String.raw`\b(?:as|to|into|in) (?:an? )?${format}\b`, 'u'),
    set: formatOf,
  },
  { pattern: new RegExp(String.raw`\b${format} (?:version|copy)\b`, 'u'), set: formatOf },
]

/** `webp` says what is wanted only beside a size; alone it says what is looked for. */
const besideOthers: Pattern = { pattern: new RegExp(String.raw`\b${format}\b`, 'u'), set: formatOf }

export function readTransformOptions(message: string): MessageTransformOptions {
  const parameters = new Map<string, string>()
  let rest = singleBlanks(message.toLowerCase())
  const read = ({ pattern, set }: Pattern): void => {
    const [text, ...groups] = pattern.exec(rest) ?? []
    if (text === undefined) return
    const found = Object.entries(set(groups)).filter(([name]) => !parameters.has(name))
    if (found.length === 0) return
    for (const [name, value] of found) parameters.set(name, value)
    rest = singleBlanks(rest.replace(text, keptOf(text)))
  }
  for (const pattern of patterns) read(pattern)
  if (parameters.size > 0) read(besideOthers)
  return { parameters, rest }
}

const singleBlanks = (text: string): string => text.replace(/\s+/gu, ' ')

/** `blur the regatta banner by 20` says which image in the middle of what is wanted of it. */
const keptOf = (text: string): string =>
  /^(?:blur|sharpen|crop)/u.test(text)
    ? ` ${text.replace(/^\w+|\b(?:by|of|to)\b\s*(?:the\s+)?(?:\d+|faces?)?|\d+/gu, ' ')} `
    : ' '
