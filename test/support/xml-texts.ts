/** What stands between the tags of each element of a name, nested ones and all. Not for elements in their like. */
export function elementsIn(xml: string, name: string): readonly string[] {
  const found = xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 'gsu'))
  return [...found].map(([, text = '']) => text)
}

const characters: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
}

/** The same of elements that hold nothing but text. */
export const textsIn = (xml: string, name: string): readonly string[] =>
  elementsIn(xml, name).map((text) => text.replace(/&\w+;/gu, (each) => characters[each] ?? each))
