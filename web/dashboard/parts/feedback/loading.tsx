export const Loading = ({ label }: { readonly label: string }) => (
  <div className="loading" role="status">
    <span className="spinner" aria-hidden="true" />
    <span className="hidden-text">{label}</span>
  </div>
)
