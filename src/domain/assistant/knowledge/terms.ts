import { stemOf } from '../../search/words/words.ts'

/** Words that say nothing of what a sentence is about. */
const emptyWords = new Set(
  `a an the this that these those there here i you he she it we they me my your our its us them of in on at to
  for from by with without as into onto over about and or but if then than so is are was were be been being am
  do does did done doing has have had having can could may might must shall should will would what which who
  whom whose when where why how s t re ll d m ve don not no yes please tell explain give any some all each every
  make get got let want need see like just also too very much many long often kind sort thing way use used using
  sedge service`.split(/\s+/u),
)

/** What people say, and what the documentation says for it. */
const otherWords = `
  upload: put store
  https ssl: tls certificate
  biggest largest: large max
  maximum max most longest: max most limit
  domain: host
  video movie: film stream
  photo image: picture
  folder: directory
  retried retry: tried again
  visitor user: client
  core cpu: processor worker
  wide: width w
  tall high: height h
  quality: q
  parameter: transform
  setting: configuration
  undo: history restore
  traffic: insight
  docker: container
  kubernetes: container
  value: range
  resize: size transform width
  crop: gravity fit
  revoke remove: delete
  delete: remove
  past: log
  login: sign
  verify undamaged intact: checksum damaged check
  switch turn enable: set on
  api: interface
  url link: address
  day: today
  prefix start: begin
  visible: live
  tenant project: zone
  cache: purge
  authenticate auth: key token
`

export const isEmptyWord = (word: string): boolean => emptyWords.has(word)

/** The words of a text that say what it is about, as stems, in their order. */
export const termsOf = (text: string): string[] => termsBy(stemOf, text)

/** The same of many texts, which have most of their words in common: each is made a stem of once. */
export function createTerms(): (text: string) => string[] {
  const stemByWord = new Map<string, string>()
  return (text) => termsBy((word) => stemByWord.getOrInsertComputed(word, stemOf), text)
}

const termsBy = (stem: (word: string) => string, text: string): string[] =>
  foldedWords(text)
    .filter((word) => !emptyWords.has(word))
    .map(stem)

/** `TLS_CERT_FILE` is `tls`, `cert`, `file`; `keys.json` is `keys`, `json`. */
export const foldedWords = (text: string): string[] =>
  (/^[ -~]*$/u.test(text) ? plainWords(text) : anyWords(text)) ?? []

const plainWords = (text: string) =>
  text
    .replace(/([a-z])([A-Z])/gu, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+|[0-9]+/gu)

const anyWords = (text: string) =>
  text
    .toWellFormed()
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/\p{L}+|\p{N}+/gu)

const otherTermsByTerm: ReadonlyMap<string, readonly string[]> = new Map(
  otherWords
    .split('\n')
    .map((line) => line.split(':').map((side) => side.trim().split(/\s+/u).map(stemOf)))
    .flatMap(([said = [], meant = []]) => said.map((term) => [term, meant] as const)),
)

/** Other stems that say about the same. */
export const otherTermsFor = (term: string): readonly string[] => otherTermsByTerm.get(term) ?? []
