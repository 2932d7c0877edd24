// @title@: a bot of mine. README.md says what it is asked, what it sees and what it may answer.
package main

import "fmt"

// choose gives a legal answer to turn.Ask; turn.View is what your seat may know. What is better is for you to find.
func choose(turn *Turn) Answer {
	switch ask := turn.Ask.Is.(type) {
@cases@	default:
		panic(fmt.Sprintf("a question of an unknown kind: %+v", ask))
	}
}

func main() {
	Play(choose)
}
