import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import type { RuleFile, RulesOf } from './rule-files.ts'

interface Example {
  readonly title: string
  /** `{files}` stands for where the files of the zone are. */
  readonly text: string
}

const examples: Readonly<Record<RuleFile, readonly Example[]>> = {
  _headers: [
    {
      title: t('Cache for a day'),
      text: '{files}/logos/*\n  Cache-Control: max-age=86400, public\n',
    },
    {
      title: t('One site alone may read it'),
      text: '{files}/fonts/*\n  Access-Control-Allow-Origin: https://www.example.com\n',
    },
    { title: t('Keep out of search engines'), text: '{files}/drafts/*\n  X-Robots-Tag: noindex\n' },
    {
      title: t('Download in place of showing'),
      text: '{files}/press/*\n  Content-Disposition: attachment\n',
    },
    { title: t('SVGs without scripts'), text: '{files}/icons/*\n  X-Sanitize: svg\n' },
  ],
  _redirects: [
    {
      title: t('A file that moved'),
      text: '{files}/logos/old.svg  {files}/logos/new.svg  301\n',
    },
    { title: t('A folder that moved'), text: '{files}/old/*  {files}/archive/:splat  301\n' },
    {
      title: t('Gone for good'),
      text: '{files}/offers/2024/*  {files}/titles/gone.txt  410\n',
    },
    {
      title: t('Another file by country'),
      text: '{files}/offer.jpg  {files}/banners/ch.jpg  200  Country=CH\n',
    },
    { title: t('To another site'), text: '{files}/shop  https://shop.example.com/  302\n' },
  ],
  _transforms: [
    { title: t('A card'), text: 'card  w=400 h=300 fit=cover\n' },
    { title: t('A face in a square'), text: 'avatar  w=96 h=96 fit=cover gravity=face\n' },
    { title: t('A wide banner'), text: 'hero  w=1600 q=70\n' },
  ],
}

interface RuleExamplesProps {
  readonly of: RulesOf
  readonly onInsert: (text: string) => void
}

/** Lines to begin with, put at the end of what is typed. */
export const RuleExamples = ({ of: { file, zone }, onInsert }: RuleExamplesProps) => (
  <section className="card">
    <h2>{t('Examples')}</h2>
    <ul className="entries">
      {examples[file].map(({ title, text }) => {
        const lines = text.replaceAll('{files}', zone === undefined ? '/acme/v1' : '/v1')
        return (
          <li key={title}>
            <div>
              <p>{title}</p>
              <code className="rule-example">{lines}</code>
            </div>
            <Button kind="quiet" icon="plus" onClick={() => onInsert(lines)}>
              {rich('Insert<hidden> {title}</hidden>', {
                title,
                hidden: (hidden) => <span className="hidden-text">{hidden}</span>,
              })}
            </Button>
          </li>
        )
      })}
    </ul>
  </section>
)

/** A text with lines put at its end. */
export const withLines = (text: string, lines: string): string =>
  `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text.trim() === '' ? '' : '\n'}${lines}`
