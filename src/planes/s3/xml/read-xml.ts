import { SaxesParser } from 'saxes'

import { S3Error } from '../s3-error.ts'
import type { S3Content } from '../s3-request.ts'

/** An element of a document; names are without their prefix, attributes are of no interest. */
export interface XmlElement {
  readonly name: string
  /** What stands in it outside of other elements, as it stands. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

interface Bounds {
  readonly maxBytes?: number
  /** So many elements may stand in one. */
  readonly maxItems?: number
}

const maxDepth = 10
/** So many elements an item of a list may be made of. */
const elementsOfItem = 12

/**
 * The document that was sent, whose first element must be `root`. Whatever is no such document, has a
 * document type (and so entities of its own), or is too long, too deep or too much is `MalformedXML`.
 */
export async function readXml(
  content: Pick<S3Content, 'sizeBytes' | 'stream'>,
  root: string,
  { maxBytes = 2 ** 20, maxItems = 1000 }: Bounds = {},
): Promise<XmlElement> {
  if ((content.sizeBytes ?? 0) > maxBytes) throw malformed(`it has more than ${maxBytes} bytes`)
  const element = parse(decoded(await bytesOf(content.stream(), maxBytes)), maxItems)
  if (element.name !== root) throw malformed(`its first element must be ${root}`)
  return element
}

/** The elements of that name directly in another one. */
export const elementsOf = ({ children }: XmlElement, name: string): readonly XmlElement[] =>
  children.filter((child) => child.name === name)

/** The text of the only element of that name, or `undefined` where there is none. Refuses a second one. */
export function textIn(element: XmlElement, name: string): string | undefined {
  const [first, second] = elementsOf(element, name)
  if (second !== undefined) throw malformed(`${element.name} must have one ${name}`)
  return first?.text
}

/** As {@link textIn}, where it must be there. */
export function requiredTextIn(element: XmlElement, name: string): string {
  const text = textIn(element, name)
  if (text === undefined) throw malformed(`${element.name} must have a ${name}`)
  return text
}

/** For what is well-formed and still not what it should be. */
export const malformed = (why: string, cause?: unknown) =>
  new S3Error(
    'MalformedXML',
    `The XML you provided was not well-formed or did not validate against our published schema: ${why}.`,
    { cause },
  )

async function bytesOf(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes) throw malformed(`it has more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw malformed('it is no UTF-8', cause)
  }
}

interface OpenElement {
  readonly name: string
  text: string
  readonly children: OpenElement[]
}

function parse(text: string, maxItems: number): XmlElement {
  const document: OpenElement = { name: '', text: '', children: [] }
  const open = [document]
  let elements = 0
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (cause) => {
    throw malformed('it is not well-formed', cause)
  })
  parser.on('doctype', () => {
    throw malformed('it must not have a document type')
  })
  parser.on('opentag', ({ local }) => {
    const element = { name: local, text: '', children: [] }
    const siblings = open.at(-1)?.children ?? []
    elements += 1
    if (open.length > maxDepth) throw malformed('it is nested too deeply')
    if (siblings.length >= maxItems || elements > maxItems * elementsOfItem)
      throw malformed(`a list must have at most ${maxItems} items`)
    siblings.push(element)
    open.push(element)
  })
  parser.on('closetag', () => void open.pop())
  const addText = (more: string) => {
    const element = open.at(-1)
    if (element !== undefined && element !== document) element.text += more
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  const [root] = document.children
  if (root === undefined) throw malformed('it is empty')
  return root
}
