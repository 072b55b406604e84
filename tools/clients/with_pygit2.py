"""What libgit2 does with a repository of ours. What it finds wrong ends it.

Arguments: the URL, a password, a directory to work in, and where the zone is in the repository.
"""

import os
import sys

import pygit2

url, password, directory, root = sys.argv[1:5]


class Callbacks(pygit2.RemoteCallbacks):
    def __init__(self):
        super().__init__(credentials=pygit2.UserPass("x", password))
        self.said = ""
        self.refusals = []

    def sideband_progress(self, string):
        self.said += string

    def push_update_reference(self, refname, message):
        if message is not None:
            self.refusals.append((refname, message))


def commit(repository, path, text):
    place = os.path.join(repository.workdir, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(place, "w") as file:
        file.write(text)
    repository.index.add(path)
    repository.index.write()
    tree = repository.index.write_tree()
    ada = pygit2.Signature("Ada", "ada@example.org")
    parents = [repository.head.target]
    return repository.create_commit("HEAD", ada, ada, f"Write {path}", tree, parents)


def push(repository, ref="refs/heads/main:refs/heads/main"):
    callbacks = Callbacks()
    repository.remotes["origin"].push([ref], callbacks=callbacks)
    return callbacks


first = pygit2.clone_repository(url, os.path.join(directory, "first"), callbacks=Callbacks())
made = commit(first, f"{root}v1/icons/libgit2.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
done = push(first)
assert done.refusals == [], done.refusals
assert f"published {made}" in done.said, done.said

commit(first, "README.md", "no asset")
refused = push(first)
assert [name for name, _ in refused.refusals] == ["refs/heads/main"], refused.refusals
assert "README.md: must name a file below" in refused.said, refused.said

second = pygit2.clone_repository(url, os.path.join(directory, "second"), callbacks=Callbacks())
assert second.head.target == made
assert os.path.exists(os.path.join(second.workdir, f"{root}v1/icons/libgit2.svg"))
print("all is well")
