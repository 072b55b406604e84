import { Link } from '../router.tsx'

/** The way to the first delivered file. */
export const FirstSteps = ({ hasZone }: { readonly hasZone: boolean }) => (
  <section className="card first-steps">
    <h2>First steps</h2>
    <ol>
      <li data-done={hasZone || undefined}>
        <div>
          <h3>Create a zone</h3>
          <p>A zone is a tenant: a name under which files are stored and delivered.</p>
        </div>
        {hasZone ? (
          <span className="fine-print">Done</span>
        ) : (
          <Link page="zones" className="button button-primary">
            Create a zone
          </Link>
        )}
      </li>
      <li>
        <div>
          <h3>Upload files</h3>
          <p>Drop a folder. Each file is a commit in git, and is delivered a moment later.</p>
        </div>
        <Link page="upload" className={`button ${hasZone ? 'button-primary' : ''}`}>
          Upload
        </Link>
      </li>
      <li>
        <div>
          <h3>Use them</h3>
          <p>Copy a URL, or build one that makes images the size and format you need.</p>
        </div>
        <Link page="transform" className="button">
          Build a transform
        </Link>
      </li>
    </ol>
  </section>
)
