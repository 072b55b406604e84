import { t } from '../language/text.ts'
import type { PageName } from '../page-names.ts'

type Suggestions = (zone: string | undefined) => readonly string[]

const general: Suggestions = (zone) => [
  zone === undefined
    ? t('How many files are there?')
    : t('How many files does {zone} have?', { zone }),
  t('What is a zone?'),
  t('How do I upload a file?'),
]

const ofFiles: Suggestions = (zone) => [
  ...(zone === undefined
    ? [t('Which are the largest files?')]
    : [t('Which are the largest files in {zone}?', { zone })]),
  t('Find an image of a boat'),
  t('How is a private file delivered?'),
]

/** What could be asked first, on pages where something is nearer than the rest. */
const byPage: Partial<Record<PageName, Suggestions>> = {
  assets: ofFiles,
  duplicates: ofFiles,
  upload: () => [
    t('What is the largest file I can upload?'),
    t('How many files fit into one batch upload?'),
    t('How do I import a whole directory?'),
  ],
  transform: () => [
    t('Which image formats can a transform produce?'),
    t('How do I crop to faces?'),
    t('How wide can a transformed picture be?'),
  ],
  purge: (zone) => [
    t('What does purge mean?'),
    t('How often can I purge in a day?'),
    ...(zone === undefined ? [] : [t('Purge zone {zone}', { zone })]),
  ],
  rules: () => [
    t('How can I see what the rules do to an address?'),
    t('How many characters may a rule file have?'),
  ],
  domains: () => [t('How do I serve a zone on my own domain?'), t('How do I turn on HTTPS?')],
  zone: (zone) => [
    ...general(zone),
    ...(zone === undefined ? [] : [t('Purge zone {zone}', { zone })]),
  ],
  tokens: () => [t("What's a scope?"), t('How do I revoke a token?')],
  webhooks: () => [
    t('How many times is a webhook delivery retried?'),
    t('When is a webhook endpoint switched off?'),
  ],
  logs: () => [t('How long are logs kept?'), t('How can I tell which requests failed?')],
}

export const suggestionsFor = (page: PageName | undefined, zone: string | undefined) =>
  ((page === undefined ? undefined : byPage[page]) ?? general)(zone)
