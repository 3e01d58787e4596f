/** Makes the initial JavaScript about 1 % smaller. */
import { minify } from 'terser';
import type { Plugin } from 'vite';

const TERSER = '5.51.2';

/**
 * Minifies what the first paint needs once more, with Terser: it inlines what is used once, which the minifier of Vite
 * does not. Nothing else is worth the time that it takes.
 */
export function minifyTwice(): Plugin {
  return {
    name: 'roomful-minify-twice',
    apply: 'build',
    enforce: 'post',
    // The name of a file stands for its content, so it has the version of what makes that.
    augmentChunkHash: ({ name }) => (name === 'initial' ? TERSER : undefined),
    generateBundle: {
      order: 'post',
      handler: async (_options, bundle) => {
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk' || file.name !== 'initial') continue;
          const { code } = await minify(file.code, {
            module: true,
            ecma: 2020,
            compress: {
              passes: 2,
              ecma: 2020,
              pure_getters: true,
              keep_fargs: false,
              reduce_funcs: false,
              // Neither the client nor its libraries look at the `prototype` or the text of a function.
              unsafe_arrows: true,
              unsafe_methods: true,
            },
          });
          if (code !== undefined) file.code = code;
        }
      },
    },
  };
}
