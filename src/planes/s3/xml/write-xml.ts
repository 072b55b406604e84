/**
 * An element: its name, with attributes as they are to be written behind it, and what is in it. A list of
 * elements of one name stands one after another.
 */
export type XmlContent =
  | string
  | number
  | boolean
  | undefined
  | { readonly [name: string]: XmlContent | readonly XmlContent[] }

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'

/** A document of S3's. Members that are `undefined` are left out. */
export const xmlDocument = (root: string, content: XmlContent): string =>
  `${xmlDeclaration}<${root} xmlns="${namespace}">${written(content)}</${root}>`

/** The document of an error, which has no namespace. */
export const xmlErrorDocument = (content: XmlContent): string =>
  `${xmlDeclaration}<Error>${written(content)}</Error>`

/** Every document begins with it. */
export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

function written(content: XmlContent): string {
  if (typeof content !== 'object') return escaped(String(content ?? ''))
  return Object.entries(content)
    .flatMap(([name, value]) => listOf(value).map((each) => element(name, each)))
    .join('')
}

const listOf = (value: XmlContent | readonly XmlContent[]): readonly XmlContent[] =>
  isList(value) ? value : value === undefined ? [] : [value]

const isList = (value: XmlContent | readonly XmlContent[]): value is readonly XmlContent[] =>
  Array.isArray(value)

const element = (name: string, content: XmlContent): string =>
  `<${name}>${written(content)}</${name.split(' ', 1)[0]}>`

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#xD;',
}

/** Characters that XML 1.0 §2.2 has not, entity or no entity. */
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(notInXml, '\ufffd')
    .replace(/[&<>"\r]/gu, (character) => entities[character] ?? '')
