import { t } from '../language/text.ts'
import { Link } from '../router.tsx'

/** The way to the first delivered file. */
export const FirstSteps = ({ hasZone }: { readonly hasZone: boolean }) => (
  <section className="card first-steps">
    <h2>{t('First steps')}</h2>
    <ol>
      <li data-done={hasZone || undefined}>
        <div>
          <h3>{t('Create a zone')}</h3>
          <p>{t('A zone is a tenant: a name under which files are stored and delivered.')}</p>
        </div>
        {hasZone ? (
          <span className="fine-print">{t('Done')}</span>
        ) : (
          <Link page="zones" className="button button-primary">
            {t('Create a zone')}
          </Link>
        )}
      </li>
      <li>
        <div>
          <h3>{t('Upload files')}</h3>
          <p>
            {t('Drop a folder. Each file is a commit in git, and is delivered a moment later.')}
          </p>
        </div>
        <Link page="upload" className={`button ${hasZone ? 'button-primary' : ''}`}>
          {t('Upload')}
        </Link>
      </li>
      <li>
        <div>
          <h3>{t('Use them')}</h3>
          <p>{t('Copy a URL, or build one that makes images the size and format you need.')}</p>
        </div>
        <Link page="transform" className="button">
          {t('Build a transform')}
        </Link>
      </li>
    </ol>
  </section>
)
