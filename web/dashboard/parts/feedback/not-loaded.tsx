import { t } from '../../language/text.ts'

/** In place of the dashboard where it could not be fetched: alone it would be an empty page. */
export const NotLoaded = () => (
  <main className="main">
    <div className="stack narrow" role="alert">
      <h1>{t('The dashboard could not be loaded')}</h1>
      <p>{t('Check the connection, then load the page again.')}</p>
      <p>
        <button type="button" className="button button-primary" onClick={() => location.reload()}>
          {t('Load again')}
        </button>
      </p>
    </div>
  </main>
)
