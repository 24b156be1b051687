declare module 'virtual:contract-routes' {
  /** The contract without its schemas: methods and paths, all that a browser needs. */
  const routes: typeof import('../contract.ts').contract
  export default routes
}

declare module 'virtual:still-script' {
  /** The script of pages that are not hydrated, minified; empty in the browser. */
  const source: string
  export default source
}

declare module 'virtual:worker-script' {
  /** The service worker, minified. */
  const source: string
  export default source
}

declare module 'virtual:course-check-script' {
  /** The thread in which the texts of course files are checked, as a script of Node. */
  const source: string
  export default source
}

declare module 'virtual:articles' {
  /** The articles of `content/`, with their HTML. For the server: browsers get what a page shows. */
  const articles: import('../domains/articles/schema.ts').Articles
  export default articles
}

declare module 'virtual:later-files' {
  /** By the path of a module that is fetched later: its files. Empty in the browser. */
  const files: Record<string, string[]>
  export default files
}
