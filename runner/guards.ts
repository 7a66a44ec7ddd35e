// Preloaded in the process of a job and its threads: cover what Node's permission model does not check.
import './guard-sqlite.ts';
import './guard-addons.ts';
import './guard-process.ts';
