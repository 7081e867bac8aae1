#!/usr/bin/env node
/*
 * The program. Node makes its thread pool when a module is loaded as an ES module, and its size cannot be changed
 * afterwards: so it is set here, in a module of the other kind, before everything else.
 */

/** The four threads that Node takes are few for a service that keeps files, and asks the system for names, in them. */
const THREADS = '16';

process.env.UV_THREADPOOL_SIZE ??= THREADS;
void import('./command-line.ts');
