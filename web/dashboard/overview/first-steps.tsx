import { useState } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Link } from '../router.tsx'

interface FirstStepsProps {
  readonly hasZone: boolean
  readonly hasFile: boolean
  /** Whether anybody was given a file, the dashboard itself aside. */
  readonly isDelivered: boolean
}

const key = 'sedge-first-steps'

/** The way to the first delivered file: each step is ticked off, until all are, or one has had enough of them. */
export function FirstSteps({ hasZone, hasFile, isDelivered }: FirstStepsProps) {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(key) === 'hidden')
  const steps = stepsOf({ hasZone, hasFile, isDelivered })
  const next = steps.find(({ isDone }) => !isDone)
  if (next === undefined || (isHidden && hasFile)) return null
  return (
    <section className="card first-steps">
      <div className="spread">
        <h2>{t('First steps')}</h2>
        {hasFile && (
          <Button
            kind="quiet"
            onClick={() => {
              localStorage.setItem(key, 'hidden')
              setHidden(true)
            }}
          >
            {t('Hide')}
          </Button>
        )}
      </div>
      <ol>
        {steps.map((step) => (
          <li key={step.title} data-done={step.isDone || undefined}>
            <div>
              <h3>{step.title}</h3>
              <p>{step.text}</p>
            </div>
            {step.isDone ? (
              <span className="fine-print">{t('Done')}</span>
            ) : (
              <Link page={step.page} className={step === next ? 'button button-primary' : 'button'}>
                {step.action}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}

const stepsOf = ({ hasZone, hasFile, isDelivered }: FirstStepsProps) =>
  [
    {
      title: t('Create a zone'),
      text: t('A zone is a tenant: a name under which files are stored and delivered.'),
      page: 'zones',
      action: t('Create a zone'),
      isDone: hasZone,
    },
    {
      title: t('Upload files'),
      text: t('Drop a folder. Each file is a commit in git, and is delivered a moment later.'),
      page: 'upload',
      action: t('Upload'),
      isDone: hasFile,
    },
    {
      title: t('Use them'),
      text: t('Copy a URL, or build one that makes images the size and format you need.'),
      page: 'transform',
      action: t('Build a transform'),
      isDone: isDelivered,
    },
  ] as const
