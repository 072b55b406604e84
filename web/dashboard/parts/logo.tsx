/** Three blades of sedge that rise from the water. */
export const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
    <path className="logo-blade" d="M15.2 23C15.6 14 15.8 8 18.6 2.6 19.4 9.5 18.4 16 17.2 23z" />
    <path className="logo-blade" d="M13 23C12 16.5 9.8 12 5.4 8.6 7 15 9.6 19 10.8 23z" />
    <path className="logo-blade" d="M19.4 23C20.4 18.4 22.6 14.6 27 12 25.2 17 23 20 21.8 23z" />
    <path
      className="logo-water"
      d="M3 26.2c3.2-1.7 6-1.7 8.8 0s5.6 1.7 8.4 0 5.600-1.700 8.800 0"
    />
  </svg>
)
