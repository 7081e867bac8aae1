import type { TemplateDeps } from '#templates/actions/template-deps';

declare module '#http/deps' {
  interface HttpDeps {
    /** What templates are worked on with. */
    readonly templates: TemplateDeps;
  }
}
