export const loadSurface = () => import('./rich-text-editor-surface.tsx')

/** Fetches the editor's code before somebody needs it. */
export function preloadRichTextEditor() {
  // A failure shows when the editor is opened.
  loadSurface().catch(() => {})
}
