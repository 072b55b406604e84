import { transformPath } from '../../assets/asset.ts'
import { t } from '../../language/text.ts'
import { CopyButton } from '../../parts/feedback/copy-button.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { parameterNames } from '../../page-parameters.ts'
import { goTo } from '../../router.tsx'
import { Card } from './card.tsx'
import type { PreparedAction } from './prepared-action.ts'
import { PurgeCard } from './purge-card.tsx'
import { TagCard } from './tag-card.tsx'

interface ActionCardProps {
  readonly action: PreparedAction
  /** What came of it, once it was confirmed. */
  readonly outcome: string | undefined
  readonly onDone: (outcome: string) => void
}

/** What would happen, and the button without which nothing does. */
export function ActionCard({ action, ...rest }: ActionCardProps) {
  if (action.action === 'purge') return <PurgeCard action={action} {...rest} />
  if (action.action === 'transform') return <TransformCard {...action} />
  if (action.action === 'redirect') return <RedirectCard {...action} />
  return <TagCard action={action} {...rest} />
}

type Of<Name extends PreparedAction['action']> = Extract<PreparedAction, { readonly action: Name }>

function TransformCard({ path, parameters }: Of<'transform'>) {
  const known = parameterNames.flatMap((name) =>
    parameters[name] === undefined ? [] : [[name, parameters[name]] as const],
  )
  return (
    <Card icon="crop" title={t('Transform')}>
      <p>
        <code>{path}</code>
      </p>
      <p className="fine-print">{known.map(([name, value]) => `${name}=${value}`).join(' ')}</p>
      <div className="row">
        <Button
          kind="primary"
          onClick={() => goTo('transform', { asset: path, ...Object.fromEntries(known) })}
        >
          {t('Open in the builder')}
        </Button>
        <CopyButton
          text={new URL(transformPath(path, parameters), location.origin).href}
          label={t('Copy URL')}
        />
      </div>
    </Card>
  )
}

const RedirectCard = ({ zone, line }: Of<'redirect'>) => (
  <Card icon="rules" title={t('Redirect')}>
    <p>
      {zone === null
        ? t('This line would be added to the rules of all zones:')
        : t('This line would be added to the rules of {zone}:', { zone })}
    </p>
    <p>
      <code>{line}</code>
    </p>
    <div className="row">
      <Button
        kind="primary"
        needs={{ scope: 'rules:write', zone }}
        onClick={() => goTo('rules', { file: '_redirects', line, ...(zone !== null && { zone }) })}
      >
        {t('Check and save in the rules')}
      </Button>
    </div>
  </Card>
)
