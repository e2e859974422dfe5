/** The files of the explorer's page, as the build left them. */

export { type PageFile, PageMissingError, pageFiles, readPage } from './page-files.ts';
