/**
 * The words of the house. `words.test.ts` holds names of files and exports to them, and `npm run generate`
 * writes them into ARCHITECTURE.md.
 */

export interface Word {
  readonly word: string
  readonly meaning: string
}

/** One word, one meaning. */
export const words: readonly Word[] = [
  {
    word: 'operation',
    meaning: 'what is known of an endpoint, as a value without anything that serves it',
  },
  { word: 'endpoint', meaning: 'an operation with its handler' },
  { word: 'plane', meaning: 'a group of operations' },
  { word: 'zone', meaning: 'a tenant' },
  { word: 'asset', meaning: 'a catalogued file' },
  { word: 'promote', meaning: 'to make live what a preview changed' },
  { word: 'line', meaning: 'commits beside main that follow each other' },
  { word: 'live', meaning: 'what the branch main has, and everybody sees' },
  { word: 'preview', meaning: 'a branch of a zone, seen at its own URLs' },
  { word: 'commit', meaning: 'a change of the repository' },
  { word: 'plan', meaning: 'a function of the newest tree that returns changes' },
  { word: 'publication', meaning: 'everything that becomes visible together' },
  { word: 'feed', meaning: 'the ordered changes, each with a sequence number' },
  { word: 'manifest', meaning: 'what is published, as the edge needs it' },
  { word: 'entry', meaning: 'what the edge needs to deliver one asset' },
  { word: 'validity', meaning: 'until when an entry may be used without looking again' },
  { word: 'generation', meaning: 'a purge counter' },
  {
    word: 'request',
    meaning: 'what a client sends (RFC 9110); an upstream request is one of ours to an origin',
  },
  { word: 'response', meaning: 'what a request gets (RFC 9110), whatever its status' },
  { word: 'answer', meaning: 'what the assistant gives to a question' },
  { word: 'URL', meaning: 'where something is on the web; a path is a part of one' },
  { word: 'address', meaning: 'of a host or a client: an IP address, with or without a port' },
  { word: 'image', meaning: 'a bitmap or an SVG' },
  { word: 'SVG', meaning: 'an image of shapes and text' },
  { word: 'video', meaning: 'what is streamed; it is made of tracks, they of frames' },
  { word: 'transform options', meaning: 'what a request asks of an image' },
  { word: 'recipe', meaning: 'transform options, checked and complete' },
  { word: 'variant', meaning: 'the image that a recipe makes' },
  { word: 'rendition', meaning: 'one size of a video' },
  { word: 'still', meaning: 'the image that stands for a file that is none: a page, a cover' },
  { word: 'card', meaning: 'what is drawn of a file that has nothing to be seen' },
  { word: 're-encode', meaning: 'to make the same variant in fewer bytes, when nobody waits' },
  { word: 'pre-render', meaning: 'to make a variant before it is asked for' },
  {
    word: 'blob',
    meaning: 'bytes named by their SHA-256; blob GC removes those that nothing names',
  },
  {
    word: 'slice',
    meaning: 'a part of 1 MiB of a large blob that is elsewhere, fetched and kept by itself',
  },
  {
    word: 'replication',
    meaning: 'to have packs where another node finds them before a write is acknowledged',
  },
  { word: 'leader election', meaning: 'which node of a cluster writes' },
  { word: 'edge node', meaning: 'an edge on another machine' },
  { word: 'origin', meaning: 'the service, as an edge node sees it' },
  { word: 'reconcile', meaning: 'to bring one domain’s certificate to what it should be' },
  { word: 'transition', meaning: 'a step of a state that is recorded' },
  { word: 'port', meaning: 'what the domain needs of the world, as an interface' },
  { word: 'contract', meaning: 'the tests of a port, run on each adapter' },
]

export interface RetiredWord {
  /** Each of its forms, in lower case. */
  readonly forms: readonly string[]
  readonly instead: string
  /** Where it is the right word: folders, files, or parts of a file's name. */
  readonly except?: { readonly within: readonly string[]; readonly because: string }
}

/** What names said once, and what the field says. */
export const retiredWords: readonly RetiredWord[] = [
  {
    forms: ['answer', 'answers', 'answered', 'answering'],
    instead: 'response, respond',
    except: {
      within: ['src/domain/assistant/', 'src/planes/chat/', 'src/wiring/chat.ts', 'bench/chat'],
      because: 'the assistant gives answers',
    },
  },
  {
    forms: ['address', 'addresses'],
    instead: 'URL, path',
    except: {
      within: [
        'src/lib/net/',
        'src/adapters/dns/',
        'src/adapters/linux/',
        'src/adapters/node-http/address-guard',
        'src/http/request/client-address',
        'src/config/setting.ts',
        'src/lib/box/system-calls.ts',
      ],
      because: 'addresses of hosts, clients, e-mail and memory',
    },
  },
  { forms: ['picture', 'pictures'], instead: 'image' },
  { forms: ['drawing', 'drawings'], instead: 'SVG' },
  { forms: ['film', 'films'], instead: 'video' },
  { forms: ['told', 'said'], instead: 'status, reason' },
  { forms: ['asked'], instead: 'request, query' },
  { forms: ['wishes'], instead: 'transform options' },
  { forms: ['denser'], instead: 're-encoded' },
  { forms: ['sibling', 'siblings'], instead: 'pre-rendered variant, stored format' },
  { forms: ['keeper'], instead: 'manager' },
  { forms: ['attend', 'attends'], instead: 'reconcile' },
  { forms: ['candidacy'], instead: 'leader election' },
  { forms: ['shipped', 'shipping'], instead: 'replication' },
  { forms: ['sweep', 'sweeping', 'swept'], instead: 'blob GC, collect' },
  { forms: ['presence'], instead: 'edge node' },
  { forms: ['grave', 'bury', 'buried'], instead: 'retention, schedule a deletion' },
  { forms: ['currency'], instead: 'validity' },
  { forms: ['errand', 'errands'], instead: 'upstream request' },
  { forms: ['rounds'], instead: 'schedule, loop' },
]

/** Names with a retired word that stay, each with its reason. An entry that nothing needs fails the test. */
export const allowedNames: Readonly<Record<string, string>> = {
  'src/adapters/sql/migrations/012-picture-texts.ts': 'databases know the migration by this name',
}
