import { SaxesParser } from 'saxes'

/** The text of each element by its name; of several of one name the last. Throws where it is not XML. */
export function elementsOf(bytes: Uint8Array): ReadonlyMap<string, string> {
  const elements = new Map<string, string>()
  readElements(new TextDecoder().decode(bytes), (name, value) => void elements.set(name, value))
  return elements
}

/** Tells of each element when it ends, with the text directly before. Throws where it is not XML. */
export function readElements(text: string, onElement: (name: string, value: string) => void): void {
  const parser = new SaxesParser()
  let value = ''
  parser.on('opentag', () => void (value = ''))
  parser.on('text', (piece) => void (value += piece))
  parser.on('closetag', ({ name }) => {
    onElement(name, value)
    value = ''
  })
  parser.on('error', (error) => {
    throw error
  })
  if (text.trim() !== '') parser.write(text).close()
}
