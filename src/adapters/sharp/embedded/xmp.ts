import { SaxesParser, type SaxesTagNS } from 'saxes'

import type { EmbeddedMember } from '../../../ports/records/asset-metadata.ts'
import { noWords, type Phrase, type Words } from './words.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const xml = 'http://www.w3.org/XML/1998/namespace'
const dublinCore = 'http://purl.org/dc/elements/1.1/'

/** Properties by what they become; of two for the same the first that is said. */
const properties: readonly (readonly [name: string, member: EmbeddedMember])[] = [
  [`${dublinCore}title`, 'title'],
  [`${dublinCore}description`, 'description'],
  [`${dublinCore}subject`, 'tags'],
  [`${dublinCore}rights`, 'copyright'],
  ['http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/AltTextAccessibility', 'alt'],
  ['http://ns.adobe.com/xap/1.0/rights/WebStatement', 'licence'],
  ['http://creativecommons.org/ns#license', 'licence'],
]
const memberByProperty: ReadonlyMap<string, EmbeddedMember> = new Map(properties)

const maxDepth = 64
const maxElements = 20_000
const maxValues = 1000
const maxTextLength = 20_000

class Broken extends Error {}

/**
 * What an XMP packet says (ISO 16684-1): simple values, lists and alternatives by language of the
 * properties that are known here. Nothing in it is followed and no entity stands for anything; a packet
 * that is broken says nothing.
 */
export function xmpWords(packet: Uint8Array): Words {
  const reading = new Reading()
  try {
    const parser = new SaxesParser({ xmlns: true })
    const refuse = (): never => {
      throw new Broken()
    }
    parser.on('error', refuse)
    parser.on('doctype', refuse)
    parser.on('opentag', (tag) => reading.open(tag))
    parser.on('closetag', () => reading.close())
    parser.on('text', (text) => reading.text(text))
    parser.on('cdata', (text) => reading.text(text))
    parser.write(packetText(packet)).close()
  } catch (error) {
    if (error instanceof Broken) return noWords
    throw error
  }
  return reading.words()
}

/** Without what fills it up; UTF-16 where its first bytes are. */
function packetText(packet: Uint8Array): string {
  const isBigEndian = (packet[0] === 0xfe && packet[1] === 0xff) || packet[0] === 0
  const isLittleEndian = (packet[0] === 0xff && packet[1] === 0xfe) || packet[1] === 0
  const encoding = isBigEndian ? 'utf-16be' : isLittleEndian ? 'utf-16le' : 'utf-8'
  const text = new TextDecoder(encoding).decode(packet)
  return text.slice(text.indexOf('<'), text.lastIndexOf('>') + 1)
}

/** Where in the packet we are, and what has been said so far. */
class Reading {
  readonly #phrasesByProperty = new Map<string, Phrase[]>()
  readonly #names: string[] = []
  /** The text of the property or of its item, while it is open. */
  #text = ''
  #language: string | undefined
  #elements = 0
  #values = 0

  open({ uri, local, attributes }: SaxesTagNS): void {
    this.#elements += 1
    this.#names.push(uri + local)
    if (this.#elements > maxElements || this.#names.length > maxDepth) throw new Broken()
    this.#text = ''
    if (this.#isDescription()) this.#takeAttributes(attributes)
    const property = this.#property()
    if (property === undefined) return
    for (const attribute of Object.values(attributes)) {
      if (attribute.uri === xml && attribute.local === 'lang') this.#language = attribute.value
      if (attribute.uri === rdf && attribute.local === 'resource')
        this.#say(property, { text: attribute.value })
    }
  }

  close(): void {
    const property = this.#property()
    if (property !== undefined) {
      this.#say(property, { text: this.#text, language: this.#language })
      this.#language = undefined
    }
    // What comes between an item and the end of its property is no value.
    this.#text = ''
    this.#names.pop()
  }

  text(text: string): void {
    if (this.#text.length < maxTextLength) this.#text += text.slice(0, maxTextLength)
  }

  words(): Words {
    const words: Record<EmbeddedMember, readonly Phrase[]> = { ...noWords }
    for (const [property, member] of properties)
      if (words[member].length === 0) words[member] = this.#phrasesByProperty.get(property) ?? []
    return words
  }

  #isDescription(): boolean {
    const [description, root] = [this.#names.at(-1), this.#names.at(-2)]
    return description === `${rdf}Description` && root === `${rdf}RDF`
  }

  /** The known property that is open with nothing in it but an item of its list. */
  #property(): string | undefined {
    const names = this.#names
    const isItem = names.at(-1) === `${rdf}li`
    const list = names.at(-2) ?? ''
    if (isItem && ![`${rdf}Alt`, `${rdf}Bag`, `${rdf}Seq`].includes(list)) return undefined
    const place = names.length - (isItem ? 3 : 1)
    const property = names[place]
    const isProperty = names[place - 1] === `${rdf}Description` && names[place - 2] === `${rdf}RDF`
    return isProperty && property !== undefined && memberByProperty.has(property)
      ? property
      : undefined
  }

  /** Simple values may be attributes (§7.9.2.2). */
  #takeAttributes(attributes: SaxesTagNS['attributes']): void {
    for (const { uri, local, value } of Object.values(attributes))
      if (memberByProperty.has(uri + local)) this.#say(uri + local, { text: value })
  }

  #say(property: string, phrase: Phrase): void {
    if (phrase.text.trim() === '' || (this.#values += 1) > maxValues) return
    const others = this.#phrasesByProperty.get(property)
    if (others === undefined) this.#phrasesByProperty.set(property, [phrase])
    else others.push(phrase)
  }
}
