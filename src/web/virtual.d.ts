declare module 'virtual:contract-routes' {
  /** The contract without its schemas: methods and paths, all that a browser needs. */
  const routes: typeof import('../contract.ts').contract
  export default routes
}

declare module 'virtual:still-script' {
  /** The script of pages that are not hydrated, minified. */
  const source: string
  export default source
}
