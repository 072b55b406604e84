import { publicFiles } from './catalogue.ts'

/** What is said, in turn; the last is the question whose answer is judged. */
type Turns = readonly string[]

/** A question with one right number. */
export interface Count {
  readonly turns: Turns
  readonly number: number
  /** Whose bytes are counted, where it is not a number of files. */
  readonly bytesOf?: RegExp
}

const count = (pattern: RegExp): number =>
  publicFiles.filter(({ path }) => pattern.test(path)).length
export const counts: readonly Count[] = [
  { turns: ['How many assets are there?'], number: publicFiles.length },
  { turns: ['How many icons does trailhead have?'], number: count(/^trailhead\/v1\/icons/u) },
  { turns: ['how many svg files are there'], number: count(/\.svg$/u) },
  { turns: ['number of banners in harbor'], number: count(/^harbor\/v1\/banners/u) },
  {
    turns: ['Count the PNG logos of trailhead'],
    number: count(/^trailhead\/v1\/logos\/.*\.png$/u),
  },
  { turns: ['How many arrow icons are there?'], number: count(/icons\/arrow/u) },
  { turns: ['How many zones are there?'], number: 2 },
  { turns: ['How many pdf files does harbor have?'], number: 1 },
  { turns: ['how many pdfs in trailhead?'], number: 0 },
  { turns: ['how many unicorn icons exist?'], number: 0 },
  { turns: ['How many videos are stored?'], number: 1 },
  { turns: ['How many icons are in closed?'], number: 0 },
  {
    turns: ['What is the total size of the trailhead files in bytes?'],
    number: 0,
    bytesOf: /^trail/u,
  },
  { turns: ['how many different formats are there?'], number: 6 },
  { turns: ['How many pictures does harbor have?'], number: count(/^harbor.*\.(?:svg|jpg)$/u) },
  { turns: ['How many icons does trailhead have?', 'and harbor?'], number: 4 },
  { turns: ['How many logos are there?', 'only the png ones'], number: 2 },
  { turns: ['List the banners', 'how many are they?'], number: count(/\/banners\//u) },
]

/** A question that is answered with files, best first. */
export interface Finding {
  readonly turns: Turns
  readonly paths: readonly string[]
  /** Which of all public files, the smallest first, where sizes decide. */
  readonly bySize?: (sorted: readonly string[]) => readonly string[]
  /** Whether nothing else may be named. */
  readonly isComplete?: boolean
}

const matching = (pattern: RegExp) =>
  publicFiles.map(({ path }) => path).filter((path) => pattern.test(path))
export const findings: readonly Finding[] = [
  { turns: ['List the banners'], paths: matching(/\/banners\//u), isComplete: true },
  {
    turns: ['What are the three largest files?'],
    paths: [],
    bySize: (sorted) => sorted.slice(-3),
    isComplete: true,
  },
  {
    turns: ['Show me the smallest svg'],
    paths: [],
    bySize: (sorted) => sorted.filter((path) => path.endsWith('.svg')),
  },
  {
    turns: ['List the logos', 'only the png ones'],
    paths: matching(/logos\/.*png$/u),
    isComplete: true,
  },
  {
    turns: ['How many banners are there?', 'which ones?'],
    paths: matching(/\/banners\//u),
    isComplete: true,
  },
  { turns: ['find the settings icon'], paths: ['trailhead/v1/icons/settings-cog.svg'] },
  {
    turns: ['Do you have something for deleting things?'],
    paths: ['trailhead/v1/icons/trash.svg'],
  },
  { turns: ['where is the harbor logo'], paths: ['harbor/v1/logos/harbor-logo.svg'] },
  { turns: ['I need a picture of a boat'], paths: ['harbor/v1/icons/ship.svg'] },
  { turns: ['show me trailhead/v1/icons/tent.svg'], paths: ['trailhead/v1/icons/tent.svg'] },
  { turns: ['lighthouse'], paths: ['harbor/v1/icons/lighthouse.svg'] },
  {
    turns: ['is there a banner about skiing in winter?'],
    paths: ['trailhead/v1/banners/winter-camp.jpg'],
  },
  { turns: ['find the lihgthouse icon'], paths: ['harbor/v1/icons/lighthouse.svg'] },
]

/** A question that is answered with a URL of a transform, or with the reason why not. */
export interface Transform {
  readonly turns: Turns
  readonly says: readonly RegExp[]
}

export const transforms: readonly Transform[] = [
  {
    turns: ['Give me trailhead/v1/banners/summer-sale.jpg 800 wide as webp'],
    says: [/\/api\/transform\?url=[^ ]*summer-sale\.jpg/u, /[?&]w=800\b/u, /format=webp/u],
  },
  {
    turns: ['Make a 64x64 png of the anchor icon'],
    says: [/anchor\.svg/u, /[?&]w=64\b/u, /[?&]h=64\b/u, /format=png/u],
  },
  {
    turns: ['the lighthouse icon at 200px width, quality 60'],
    says: [/lighthouse\.svg/u, /[?&]w=200\b/u, /[?&]q=60\b/u],
  },
  {
    turns: ['blur the regatta banner by 20 in avif'],
    says: [/regatta\.jpg/u, /blur=20/u, /format=avif/u],
  },
  {
    turns: ['Resize trailhead/v1/logos/trailhead-logo.png to 9000 pixels wide'],
    says: [/1 to 8192/u],
  },
  {
    turns: ['find the lighthouse icon', '800 wide webp of that'],
    says: [/lighthouse\.svg/u, /[?&]w=800\b/u, /format=webp/u],
  },
]
