const idName = /(?:^|[_\s-])(?:id|fid|gid|oid|objectid|uuid|guid|nr|no|nummer|number|plz|zip|code|key|ref)$/i;

/** Whether attributes of this name tell features apart, such as `OBJECTID` and `roadId`. */
export const namesIdentifier = (name: string): boolean =>
  idName.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'));
